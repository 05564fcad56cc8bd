//! The values that a client can show under a tool call.

use crate::values::{Content, ContentBlock, Diff, Terminal, TerminalId, ToolCallContent};

/// A value that can be the content of a tool call: text, a [`ContentBlock`], a [`Diff`], a terminal, or a list of
/// these. `()` is no content. A [`ToolCallHandle`](crate::session::ToolCallHandle) shows it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown as the content of a tool call",
    note = "text, `ContentBlock`, `Diff`, `TerminalId`, `ToolCallContent`, a `Vec` of those, and `()` can"
)]
pub trait ToolContent {
    /// The content in the protocol's types. `None` keeps the content that was shown before.
    fn into_content(self) -> Option<Vec<ToolCallContent>>;
}

impl ToolContent for () {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        None
    }
}

impl<T: ToolContent> ToolContent for Vec<T> {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        Some(self.into_iter().filter_map(T::into_content).flatten().collect())
    }
}

impl ToolContent for ToolCallContent {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        Some(vec![self])
    }
}

impl ToolContent for ContentBlock {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        ToolCallContent::Content(Content::new(self)).into_content()
    }
}

impl ToolContent for &str {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        ContentBlock::from(self).into_content()
    }
}

impl ToolContent for String {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        ContentBlock::from(self).into_content()
    }
}

impl ToolContent for Diff {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        ToolCallContent::Diff(self).into_content()
    }
}

impl ToolContent for TerminalId {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        ToolCallContent::Terminal(Terminal::new(self)).into_content()
    }
}
