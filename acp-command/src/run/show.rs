//! What the agent says and does, as lines: streamed text, tool calls and plans as they change, diffs.

use std::{collections::HashMap, io};

use acp_client::{
    Update,
    values::{
        ContentBlock, ContentChunk, Plan, PlanEntryStatus, SessionUpdate, ToolCallContent, ToolCallId, ToolCallStatus,
        ToolCallUpdate,
    },
};
use serde_json::json;

use super::{
    change,
    paper::{Paper, Style},
    terminals::Screens,
};

/// How many lines of the content of a tool call are shown. `:more` shows the others.
const LINES: usize = 12;

/// Who said the text that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    User,
    Agent,
    Thought,
}

/// A tool call, as far as it was told of.
#[derive(Debug, Default)]
struct Tool {
    title: String,
    status: ToolCallStatus,
    content: Vec<ToolCallContent>,
    /// The status and the title that the last line of it has.
    told: Option<(ToolCallStatus, String)>,
    /// The content that was shown.
    shown: Vec<ToolCallContent>,
}

pub(super) struct Show {
    pub(super) paper: Paper,
    pub(super) terminals: Screens,
    speaker: Option<Speaker>,
    tools: HashMap<ToolCallId, Tool>,
    /// The entries of the plan, with the status that the last line of each has.
    plan: Vec<(PlanEntryStatus, String)>,
    /// The lines that were left out of the last content.
    left_out: Vec<(Style, String)>,
    /// The part of the user's prompt that the agent has not repeated. The prompt stands there already.
    own: String,
}

impl Show {
    pub(super) fn new(paper: Paper) -> Self {
        let terminals = Screens::default();
        Self {
            paper,
            terminals,
            speaker: None,
            tools: HashMap::new(),
            plan: Vec::new(),
            left_out: Vec::new(),
            own: String::new(),
        }
    }

    pub(super) fn update(&mut self, update: &Update) -> io::Result<()> {
        match update {
            Update::Known(SessionUpdate::UserMessageChunk(chunk)) => self.chunk(Speaker::User, chunk),
            Update::Known(SessionUpdate::AgentMessageChunk(chunk)) => self.chunk(Speaker::Agent, chunk),
            Update::Known(SessionUpdate::AgentThoughtChunk(chunk)) => self.chunk(Speaker::Thought, chunk),
            Update::Known(SessionUpdate::ToolCall(call)) => {
                let tool = self.tools.entry(call.tool_call_id.clone()).or_default();
                tool.title.clone_from(&call.title);
                tool.status = call.status;
                tool.content.clone_from(&call.content);
                self.tool(&call.tool_call_id)
            }
            Update::Known(SessionUpdate::ToolCallUpdate(update)) => {
                self.change(update);
                self.tool(&update.tool_call_id)
            }
            Update::Known(SessionUpdate::Plan(plan)) => self.plan(plan),
            Update::Known(SessionUpdate::Notice(notice)) => {
                let text = notice.description.iter().fold(notice.title.clone(), |text, more| format!("{text}\n{more}"));
                self.aside((Style::Asking, "note"), &text)
            }
            Update::Terminal(update) => {
                self.terminals.update(update);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The user has sent a prompt.
    pub(super) fn sent(&mut self, prompt: &str) {
        prompt.clone_into(&mut self.own);
    }

    /// Shows the tool call of a question, with all that it will do.
    pub(super) fn before_permission(&mut self, update: &ToolCallUpdate) -> io::Result<()> {
        self.change(update);
        self.content(&update.tool_call_id)
    }

    /// Shows a line beside what the agent says.
    pub(super) fn aside(&mut self, gutter: (Style, &str), text: &str) -> io::Result<()> {
        self.speaker = None;
        self.paper.line(gutter, text)
    }

    /// The text that is open ends.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.speaker = None;
        self.paper.end_line()
    }

    /// Shows what was left out of the last content.
    pub(super) fn more(&mut self) -> io::Result<()> {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out.is_empty() {
            return self.paper.below(Style::Dim, "nothing was left out");
        }
        left_out.iter().try_for_each(|(style, line)| self.paper.below(*style, line))
    }

    fn chunk(&mut self, speaker: Speaker, chunk: &ContentChunk) -> io::Result<()> {
        if let (Speaker::User, ContentBlock::Text(text)) = (speaker, &chunk.content)
            && let Some(rest) = self.own.strip_prefix(&text.text)
        {
            self.own = rest.to_owned();
            return Ok(());
        }
        let (style, mark) = match speaker {
            Speaker::User => (Style::Bold, "> "),
            Speaker::Agent => (Style::Plain, ""),
            Speaker::Thought => (Style::Dim, ""),
        };
        if self.speaker != Some(speaker) {
            self.end()?;
            self.paper.text(style, mark)?;
            self.speaker = Some(speaker);
        }
        match &chunk.content {
            ContentBlock::Text(text) => self.paper.text(style, &text.text),
            other => self.paper.text(style, &content_name(other)),
        }
    }

    fn change(&mut self, update: &ToolCallUpdate) {
        let tool = self.tools.entry(update.tool_call_id.clone()).or_default();
        if let Some(title) = &update.title {
            tool.title.clone_from(title);
        }
        if let Some(status) = update.status {
            tool.status = status;
        }
        if let Some(content) = &update.content {
            tool.content.clone_from(content);
        }
        if tool.title.is_empty() {
            tool.title = update.tool_call_id.to_string();
        }
    }

    /// Shows a tool call whose status or title has changed, and its content at its end.
    fn tool(&mut self, id: &ToolCallId) -> io::Result<()> {
        let Some(tool) = self.tools.get_mut(id) else { return Ok(()) };
        let now = (tool.status, tool.title.clone());
        if tool.told.as_ref() != Some(&now) {
            tool.told = Some(now.clone());
            let gutter = match now.0 {
                ToolCallStatus::InProgress => (Style::Running, "run"),
                ToolCallStatus::Completed => (Style::Added, "done"),
                ToolCallStatus::Failed => (Style::Removed, "fail"),
                _ => (Style::Dim, "wait"),
            };
            self.aside(gutter, &now.1)?;
        }
        if matches!(now.0, ToolCallStatus::Completed | ToolCallStatus::Failed) { self.content(id) } else { Ok(()) }
    }

    /// Shows the content of a tool call that was not shown.
    fn content(&mut self, id: &ToolCallId) -> io::Result<()> {
        let Some(tool) = self.tools.get_mut(id) else { return Ok(()) };
        let new: Vec<_> = tool.content.iter().filter(|content| !tool.shown.contains(content)).cloned().collect();
        tool.shown.extend(new.iter().cloned());
        for content in &new {
            let lines = match content {
                ToolCallContent::Terminal(terminal) => dim(self.terminals.lines(&terminal.terminal_id)),
                content => content_lines(content),
            };
            self.lines(lines)?;
        }
        Ok(())
    }

    fn lines(&mut self, mut lines: Vec<(Style, String)>) -> io::Result<()> {
        self.speaker = None;
        // One line more takes no more room than the word about it.
        let rest = if lines.len() > LINES + 1 { lines.split_off(LINES) } else { Vec::new() };
        lines.iter().try_for_each(|(style, line)| self.paper.below(*style, line))?;
        if !rest.is_empty() {
            self.paper.below(Style::Dim, &format!(".. {} lines more: `:more`", rest.len()))?;
            self.left_out = rest;
        }
        Ok(())
    }

    /// Shows a new plan, or the entries of a plan that have changed.
    fn plan(&mut self, plan: &Plan) -> io::Result<()> {
        let entries: Vec<_> = plan.entries.iter().map(|entry| (entry.status, entry.content.clone())).collect();
        let is_same = entries.len() == self.plan.len()
            && entries.iter().zip(&self.plan).all(|((_, content), (_, before))| content == before);
        let changed: Vec<_> = entries
            .iter()
            .enumerate()
            .filter(|(number, entry)| !is_same || self.plan.get(*number) != Some(*entry))
            .map(|(_, (status, content))| {
                let mark = match status {
                    PlanEntryStatus::Completed => 'x',
                    PlanEntryStatus::InProgress => '>',
                    _ => ' ',
                };
                format!("[{mark}] {}", content.replace('\n', " "))
            })
            .collect();
        self.plan = entries;
        if changed.is_empty() { Ok(()) } else { self.aside((Style::Dim, "plan"), &changed.join("\n")) }
    }
}

/// A picture, a file, or another content that is no text.
fn content_name(content: &ContentBlock) -> String {
    let content = json!(content);
    let kind = content["type"].as_str().unwrap_or("content");
    match content["uri"].as_str().or_else(|| content["resource"]["uri"].as_str()) {
        Some(uri) => format!("[{kind} {uri}]"),
        None => format!("[{kind}]"),
    }
}

fn dim(lines: impl IntoIterator<Item = String>) -> Vec<(Style, String)> {
    lines.into_iter().map(|line| (Style::Dim, line)).collect()
}

fn content_lines(content: &ToolCallContent) -> Vec<(Style, String)> {
    let plain = |text: &str| dim(text.lines().map(str::to_owned));
    match content {
        ToolCallContent::Diff(diff) => {
            let mut lines = vec![(Style::Bold, diff.path.display().to_string())];
            lines.extend(change::lines(diff.old_text.as_deref().unwrap_or_default(), &diff.new_text));
            lines
        }
        ToolCallContent::Content(content) => match &content.content {
            ContentBlock::Text(text) => plain(&text.text),
            other => plain(&content_name(other)),
        },
        _ => Vec::new(),
    }
}
