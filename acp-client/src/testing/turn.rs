//! A turn that has ended, for assertions.

use std::fmt;

use serde_json::Value;

use crate::{
    Result, Turn, TurnEnd, Update,
    values::{ContentBlock, ContentChunk, PlanEntry, SessionUpdate, StopReason, ToolCall, ToolCallUpdate},
};
use acp_judge::{Names, assert_same};

/// A turn that has ended, with the agent's updates and the turn's end.
///
/// ```no_run
/// # async fn run(session: acp_client::testing::TestSession) {
/// use acp_client::values::{StopReason, ToolCallStatus};
///
/// let turn = session.turn("Add a test.").await;
/// assert_eq!(turn.text(), "Done.");
/// assert_eq!(turn.tool_calls()[0].status, ToolCallStatus::Completed);
/// assert_eq!(turn.stop_reason(), StopReason::EndTurn);
/// # }
/// ```
pub struct EndedTurn {
    updates: Vec<Update>,
    tool_calls: Vec<ToolCall>,
    end: TurnEnd,
    version: u16,
}

impl EndedTurn {
    /// Takes the rest of a turn's updates until the turn ends. Updates that were taken before are missing.
    ///
    /// # Errors
    ///
    /// The turn failed.
    pub async fn of(mut turn: Turn) -> Result<Self> {
        let version = turn.session().link().line.version();
        let mut updates = Vec::new();
        while let Some(update) = turn.next().await? {
            updates.push(update);
        }
        let end = turn.end().cloned().expect("a turn without further updates has ended");
        Ok(Self { tool_calls: merged(&updates), updates, end, version })
    }

    /// The agent's updates, in order. In version 2 of the protocol, the states of the session and the prompt itself are among them.
    pub fn updates(&self) -> &[Update] {
        &self.updates
    }

    fn known(&self) -> impl Iterator<Item = &SessionUpdate> {
        self.updates.iter().filter_map(Update::known)
    }

    /// The agent's answer: its whole text.
    pub fn text(&self) -> String {
        self.updates.iter().filter_map(Update::text).collect()
    }

    /// The text of the agent's thoughts.
    pub fn thoughts(&self) -> String {
        let thoughts = self.known().filter_map(|update| match update {
            SessionUpdate::AgentThoughtChunk(ContentChunk { content: ContentBlock::Text(text), .. }) => {
                Some(&*text.text)
            }
            _ => None,
        });
        thoughts.collect()
    }

    /// The tool calls in their last state, in the order of their first report.
    pub fn tool_calls(&self) -> &[ToolCall] {
        &self.tool_calls
    }

    /// The tool call whose title contains this.
    ///
    /// # Panics
    ///
    /// Panics if there is none; the message lists the titles.
    #[track_caller]
    pub fn tool_call(&self, title: &str) -> &ToolCall {
        let Some(call) = self.tool_calls.iter().find(|call| call.title.contains(title)) else {
            let titles: Vec<_> = self.tool_calls.iter().map(|call| &*call.title).collect();
            panic!("the turn has no tool call `{title}`; it has {titles:?}")
        };
        call
    }

    /// The plan in its last state; `None` if there was no plan.
    pub fn plan(&self) -> Option<&[PlanEntry]> {
        let plans = self.known().filter_map(|update| match update {
            SessionUpdate::Plan(plan) => Some(&*plan.entries),
            _ => None,
        });
        plans.last()
    }

    /// The reason why the turn ended.
    ///
    /// # Panics
    ///
    /// Panics if the agent gave a reason that the protocol does not have.
    #[track_caller]
    pub fn stop_reason(&self) -> StopReason {
        match self.end.stop_reason {
            Some(reason) => reason,
            None => panic!("the turn ended with a reason that the protocol does not have: {}", self.end.raw),
        }
    }

    /// The whole end of the turn.
    pub fn end(&self) -> &TurnEnd {
        &self.end
    }

    /// The agent's updates and the turn's end, one update a line, in the form of [golden
    /// conversations](super::TestConnection::assert_golden). Ids are unchanged. What each turn of version 2 has is left out: states, the
    /// user's messages, and the ids of messages. So most agents tell the same in both versions.
    pub fn told(&self) -> String {
        let names = Names::default();
        let mut text = String::new();
        for update in &self.updates {
            let update = match update {
                // In version 2, the agent says what it was told.
                Update::Known(SessionUpdate::UserMessageChunk(_)) if self.version >= 2 => continue,
                #[cfg(feature = "v2")]
                Update::State(_) => continue,
                Update::Known(update) => serde_json::to_value(self.plain(update)).unwrap_or_default(),
                Update::Unknown(update) => serde_json::from_str(update.raw.get()).unwrap_or_default(),
                #[cfg(feature = "v2")]
                Update::Terminal(terminal) => serde_json::from_str(terminal.raw.get()).unwrap_or_default(),
            };
            text.push_str(&names.update(&update));
            text.push('\n');
        }
        let end: Value = serde_json::from_str(self.end.raw.get()).unwrap_or_default();
        text.push_str(&format!("= {}\n", end["stopReason"].as_str().unwrap_or("?")));
        text
    }

    /// An update without the id of its message: in version 2, each message has one.
    fn plain(&self, update: &SessionUpdate) -> SessionUpdate {
        let mut update = update.clone();
        if self.version >= 2
            && let SessionUpdate::AgentMessageChunk(chunk) | SessionUpdate::AgentThoughtChunk(chunk) = &mut update
        {
            chunk.message_id = None;
        }
        update
    }

    /// Compares the agent's updates with the lines of [`told`](Self::told).
    ///
    /// # Panics
    ///
    /// Panics if they differ; the message shows the lines.
    #[track_caller]
    pub fn assert_told(&self, expected: &str) {
        assert_same("the turn", expected.trim_matches('\n'), self.told().trim_end());
    }

    /// Compares the agent's answer with a text.
    ///
    /// # Panics
    ///
    /// Panics if they differ; the message shows the lines.
    #[track_caller]
    pub fn assert_text(&self, expected: &str) {
        assert_same("the answer", expected, &self.text());
    }
}

impl fmt::Debug for EndedTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told())
    }
}

/// Tool calls by id, in their last state.
fn merged(updates: &[Update]) -> Vec<ToolCall> {
    let mut calls: Vec<ToolCall> = Vec::new();
    for update in updates.iter().filter_map(Update::known) {
        match update {
            SessionUpdate::ToolCall(call) => {
                match calls.iter_mut().find(|known| known.tool_call_id == call.tool_call_id) {
                    Some(known) => *known = call.clone(),
                    None => calls.push(call.clone()),
                }
            }
            SessionUpdate::ToolCallUpdate(update) => {
                let known = calls.iter().position(|known| known.tool_call_id == update.tool_call_id);
                let known = known.unwrap_or_else(|| {
                    calls.push(ToolCall::new(update.tool_call_id.clone(), ""));
                    calls.len() - 1
                });
                change(&mut calls[known], update.clone());
            }
            _ => {}
        }
    }
    calls
}

/// Applies an update to a tool call. Fields that the update leaves out stay; a list replaces the list before.
fn change(call: &mut ToolCall, update: ToolCallUpdate) {
    let ToolCallUpdate { kind, status, title, name, content, locations, raw_input, raw_output, .. } = update;
    fn set<T>(field: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *field = value;
        }
    }
    set(&mut call.kind, kind);
    set(&mut call.status, status);
    set(&mut call.title, title);
    set(&mut call.content, content);
    set(&mut call.locations, locations);
    call.name = name.or(call.name.take());
    call.raw_input = raw_input.or(call.raw_input.take());
    call.raw_output = raw_output.or(call.raw_output.take());
}
