//! A turn that was interrupted: its process was killed. Its open tool calls have failed, and a replay says so at its end.

use super::replay::Replay;
use crate::{
    store::{Entry, Said},
    values::{Notice, NoticeSeverity, SessionUpdate, ToolCallId, ToolCallStatus, ToolCallUpdate},
    wire::Result,
};

/// The title of the notice.
const TITLE: &str = "The agent was stopped in the middle of its last turn";
/// The rest of it.
const DESCRIPTION: &str = "What it had said until then is shown. Files that it has changed stay changed.";

/// The entries of a turn that was interrupted.
pub(crate) struct Interrupted {
    first: u64,
    /// The calls whose tools had not ended, in their order.
    open: Vec<ToolCallId>,
}

impl Interrupted {
    /// The entries from this place on.
    pub(crate) fn from(first: u64) -> Self {
        Self { first, open: Vec::new() }
    }

    /// Notes entries that are replayed.
    pub(crate) fn note(&mut self, page: &[Entry]) {
        for entry in page.iter().filter(|entry| entry.seq >= self.first) {
            let Said::Known(said) = &entry.said else { continue };
            let (id, status) = match &**said {
                SessionUpdate::ToolCall(call) => (&call.tool_call_id, Some(call.status)),
                SessionUpdate::ToolCallUpdate(change) => (&change.tool_call_id, change.status),
                _ => continue,
            };
            match status {
                Some(ToolCallStatus::Completed | ToolCallStatus::Failed) => self.open.retain(|open| open != id),
                Some(_) if !self.open.contains(id) => self.open.push(id.clone()),
                _ => {}
            }
        }
    }

    /// The ends of the calls whose tools had not ended, as the entries behind this place. They are kept, so that each later
    /// load shows these ends, too.
    pub(crate) fn ends(self, last: u64) -> Vec<Entry> {
        let failed = |id| ToolCallUpdate::new(id).status(ToolCallStatus::Failed);
        let entry = |(seq, id)| Entry::new(seq, SessionUpdate::ToolCallUpdate(failed(id)));
        (last + 1..).zip(self.open).map(entry).collect()
    }
}

impl Replay {
    /// Says that the last turn was interrupted.
    pub(crate) async fn interrupted(&self) -> Result<()> {
        match self.output().offers_notices() {
            true => {
                let notice = Notice::new(NoticeSeverity::Warning, TITLE.to_owned()).description(DESCRIPTION.to_owned());
                self.output().send(&SessionUpdate::Notice(notice)).await
            }
            false => self.agent(format!("\n\n[{TITLE}. {DESCRIPTION}]")).await,
        }
    }
}
