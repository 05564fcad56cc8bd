//! Joins updates to entries, as they are said. The time is linear in the bytes of the updates.
//!
//! A client that gets the entries shows the same conversation as a client that got the updates. So an update joins an
//! entry only if no client can tell the difference.

use std::{
    collections::{HashMap, HashSet},
    mem,
};

use super::patch;
use crate::{
    store::{Entry, Said},
    values::{CompactionId, ContentBlock, ContentChunk, MessageId, SessionUpdate, ToolCallId},
};

/// Entries that are made of updates:
///
/// - Pieces of one message are one entry, as long as text follows text, the `_meta` stays the same, and no other message, tool
///   call or compaction begins between them.
/// - An update of a tool call or a compaction changes its entry. If that entry was [taken](Self::take) before, the update
///   is an entry of its own. An update of a tool call with a `_meta` is one, too, and so is a piece of a summary with a
///   `_meta`: such data may add to the data before.
/// - A plan replaces the plan before with the same id, until the user says something.
/// - Options, modes, commands, usage, titles and notices are no entries. They are no part of the conversation, or the
///   client gets their state in another way.
/// - Updates that this version does not know are entries as they are.
#[derive(Debug)]
pub(crate) struct Joined {
    entries: Vec<Entry>,
    /// The place of the last entry, 0 without entries.
    last: u64,
    /// The index of the message to which the next piece may belong.
    message: Option<usize>,
    /// The indexes of the plans that the next plan of the same id replaces.
    plans: Vec<usize>,
    /// The index of the latest entry about a tool call.
    calls: HashMap<ToolCallId, usize>,
    /// The index of the latest entry about a compaction.
    compactions: HashMap<CompactionId, usize>,
    /// The compactions of entries that were taken.
    earlier: HashSet<CompactionId>,
}

impl Joined {
    /// The entries behind this place begin here.
    pub(crate) fn behind(last: u64) -> Self {
        Self {
            entries: Vec::new(),
            last,
            message: None,
            plans: Vec::new(),
            calls: HashMap::new(),
            compactions: HashMap::new(),
            earlier: HashSet::new(),
        }
    }

    /// The entries so far.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The place of the last entry, 0 without entries.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Whether one that begins behind the last entry would make the same of all later updates.
    pub(crate) fn is_forgettable(&self) -> bool {
        self.entries.is_empty() && self.earlier.is_empty()
    }

    /// Whether updates of this kind are a part of the conversation.
    pub(crate) fn takes(update: &SessionUpdate) -> bool {
        !matches!(
            update,
            SessionUpdate::AvailableCommandsUpdate(_)
                | SessionUpdate::CurrentModeUpdate(_)
                | SessionUpdate::ConfigOptionUpdate(_)
                | SessionUpdate::SessionInfoUpdate(_)
                | SessionUpdate::UsageUpdate(_)
                | SessionUpdate::Notice(_)
        )
    }

    /// Takes the entries. Later updates make new ones.
    pub(crate) fn take(&mut self) -> Vec<Entry> {
        self.message = None;
        self.plans.clear();
        self.calls.clear();
        self.earlier.extend(self.compactions.drain().map(|(id, _)| id));
        mem::take(&mut self.entries)
    }

    /// Adds an update, with the id of its message if it is a piece of one.
    pub(crate) fn add(&mut self, update: &SessionUpdate, message_id: Option<MessageId>) {
        if !Self::takes(update) {
            return;
        }
        match update {
            SessionUpdate::UserMessageChunk(chunk)
            | SessionUpdate::AgentMessageChunk(chunk)
            | SessionUpdate::AgentThoughtChunk(chunk) => self.message(update, chunk, message_id),
            SessionUpdate::ToolCall(call) => {
                self.message = None;
                let index = self.push(update.clone(), None);
                self.calls.insert(call.tool_call_id.clone(), index);
            }
            SessionUpdate::ToolCallUpdate(change) => {
                let known = self.calls.get(&change.tool_call_id).copied();
                if !known.is_some_and(|index| join(&mut self.entries[index], |said| patch::tool_call(said, change))) {
                    let index = self.push(update.clone(), None);
                    self.calls.insert(change.tool_call_id.clone(), index);
                }
            }
            SessionUpdate::CompactionUpdate(change) => self.compaction(update, &change.compaction_id),
            SessionUpdate::CompactionSummaryChunk(chunk) => self.compaction(update, &chunk.compaction_id),
            SessionUpdate::Plan(_) => match self.plan_before(update) {
                Some(index) => self.entries[index].said = update.clone().into(),
                None => {
                    let index = self.push(update.clone(), None);
                    self.plans.push(index);
                }
            },
            // Drafts, which only a program with the feature `unstable` has, and updates that this version does not know.
            _ => {
                self.message = None;
                self.push(update.clone(), message_id);
            }
        }
    }

    /// Adds the user's prompt: one message, with its content as it is.
    pub(crate) fn add_prompt(&mut self, prompt: &[ContentBlock], message_id: Option<MessageId>) {
        for block in prompt {
            self.push(SessionUpdate::UserMessageChunk(ContentChunk::new(block.clone())), message_id.clone());
        }
        self.message = None;
        self.plans.clear();
    }

    fn message(&mut self, update: &SessionUpdate, chunk: &ContentChunk, message_id: Option<MessageId>) {
        if let Some(index) = self.message {
            let entry = &mut self.entries[index];
            if entry.message_id == message_id && join(entry, |said| patch::message(said, update, chunk)) {
                return;
            }
        }
        if let SessionUpdate::UserMessageChunk(_) = update {
            self.plans.clear();
        }
        self.message = Some(self.push(update.clone(), message_id));
    }

    /// The index of the plan that this one replaces.
    fn plan_before(&self, update: &SessionUpdate) -> Option<usize> {
        let is_of_id = |index: &&usize| match &self.entries[**index].said {
            Said::Known(before) => patch::plan_id(before) == patch::plan_id(update),
            Said::Unknown(_) => false,
        };
        self.plans.iter().find(is_of_id).copied()
    }

    fn compaction(&mut self, update: &SessionUpdate, id: &CompactionId) {
        let known = self.compactions.get(id).copied();
        if known.is_some_and(|index| join(&mut self.entries[index], |said| patch::compaction(said, update))) {
            return;
        }
        let is_new = known.is_none() && !self.earlier.contains(id);
        if is_new {
            self.message = None;
        }
        let first = if is_new { patch::begun(update) } else { update.clone() };
        let index = self.push(first, None);
        self.compactions.insert(id.clone(), index);
    }

    fn push(&mut self, update: SessionUpdate, message_id: Option<MessageId>) -> usize {
        self.last += 1;
        self.entries.push(Entry::new(self.last, update).message_id(message_id));
        self.entries.len() - 1
    }
}

/// Changes the update of an entry. Returns whether it was changed.
fn join(entry: &mut Entry, change: impl FnOnce(&mut SessionUpdate) -> bool) -> bool {
    match &mut entry.said {
        Said::Known(said) => change(said),
        Said::Unknown(_) => false,
    }
}
