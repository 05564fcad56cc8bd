//! The history of a session, for people.

use acp_client::values::{ContentBlock, ContentChunk, SessionUpdate};
use serde_json::json;

/// Who said the last text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    User,
    Agent,
    Thought,
}

/// What was shown so far.
#[derive(Default)]
pub(super) struct Transcript {
    /// The speaker of the open text.
    open: Option<Speaker>,
    /// Whether the text stands within a line.
    is_in_line: bool,
}

impl Transcript {
    /// The next piece.
    pub(super) fn update(&mut self, update: &SessionUpdate) -> String {
        match update {
            SessionUpdate::UserMessageChunk(chunk) => self.chunk(Speaker::User, chunk),
            SessionUpdate::AgentMessageChunk(chunk) => self.chunk(Speaker::Agent, chunk),
            SessionUpdate::AgentThoughtChunk(chunk) => self.chunk(Speaker::Thought, chunk),
            SessionUpdate::ToolCall(call) => {
                let status = json!(call.status);
                let ended = self.end().to_owned();
                format!("{ended}[tool] {} ({})\n", call.title.replace('\n', " "), status.as_str().unwrap_or_default())
            }
            _ => String::new(),
        }
    }

    /// The end of a text that is open.
    pub(super) fn end(&mut self) -> &'static str {
        self.open = None;
        if std::mem::take(&mut self.is_in_line) { "\n" } else { "" }
    }

    fn chunk(&mut self, speaker: Speaker, chunk: &ContentChunk) -> String {
        let mut shown = String::new();
        if self.open != Some(speaker) {
            shown.push_str(self.end());
            shown.push_str(match speaker {
                Speaker::User => "> ",
                Speaker::Agent => "",
                Speaker::Thought => "(thinks) ",
            });
            self.open = Some(speaker);
        }
        match &chunk.content {
            ContentBlock::Text(text) => shown.push_str(&text.text),
            // Pictures and files.
            other => shown.push_str(&format!("[{}]", json!(other)["type"].as_str().unwrap_or("content"))),
        }
        if !shown.is_empty() {
            self.is_in_line = !shown.ends_with('\n');
        }
        shown
    }
}
