//! A load that replays the end of a long history alone. The protocol has no word for it, so the replay says it at its begin.

use super::replay::Replay;
use crate::{
    values::{Notice, NoticeSeverity, SessionUpdate},
    wire::Result,
};

/// The title of the notice.
const TITLE: &str = "The begin of this conversation is not shown";
/// The rest of it.
const DESCRIPTION: &str = "The agent has all of it.";

impl Replay {
    /// Says that the history has a begin that is not replayed.
    pub(crate) async fn in_part(&self) -> Result<()> {
        match self.output().offers_notices() {
            true => {
                let notice = Notice::new(NoticeSeverity::Info, TITLE.to_owned()).description(DESCRIPTION.to_owned());
                self.output().send(&SessionUpdate::Notice(notice)).await
            }
            false => self.agent(format!("[{TITLE}. {DESCRIPTION}]\n\n")).await,
        }
    }
}
