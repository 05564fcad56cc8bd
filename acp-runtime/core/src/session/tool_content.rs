//! The values that a client can show under a tool call, and the check of their paths.

use std::path::Path;

use crate::{
    client::{TerminalHandle, check_line},
    values::{ContentBlock, Diff, Terminal, TerminalId, ToolCallContent, ToolCallLocation},
    wire::{Error, Result},
};

/// A value that can be the content of a tool call: text, a [`ContentBlock`], a [`Diff`], a terminal, or a list of
/// these. A [`ToolCallHandle`](crate::session::ToolCallHandle) shows it.
///
/// `()` and `None` are no content: the call shows what it showed before. An empty text is an empty list: the call then shows
/// nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown as the content of a tool call",
    note = "text, `ContentBlock`, `Diff`, `ToolCallContent`, a terminal (`&TerminalHandle`, or `&CommandHandle` of a workspace), an array, `Vec` or `Option` of those, and `()` can"
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

impl<T: ToolContent> ToolContent for Option<T> {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self?.into_content()
    }
}

impl<T: ToolContent, const N: usize> ToolContent for [T; N] {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        Vec::from(self).into_content()
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

/// One value of these types is one content.
macro_rules! one {
    ($($content:ty),+) => {
        $(impl ToolContent for $content {
            fn into_content(self) -> Option<Vec<ToolCallContent>> {
                Some(vec![self.into()])
            }
        })+
    };
}

one!(ContentBlock, Diff, Terminal, TerminalId);

#[cfg(feature = "v2")]
one!(super::file_change::FileChange);

/// A client would show a block without text for an empty one, such as the output of a command that prints nothing.
impl ToolContent for String {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        if self.is_empty() { Some(Vec::new()) } else { Some(vec![self.into()]) }
    }
}

impl ToolContent for &str {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self.to_owned().into_content()
    }
}

impl ToolContent for &String {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self.as_str().into_content()
    }
}

impl ToolContent for &TerminalHandle {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self.id().clone().into_content()
    }
}

/// The terminal that shows the command. If the client shows none, the content stays as it is.
#[cfg(feature = "local")]
impl ToolContent for &crate::client::CommandHandle {
    fn into_content(self) -> Option<Vec<ToolCallContent>> {
        self.terminal().cloned().into_content()
    }
}

/// Checks that paths are absolute and that lines count from 1. The protocol demands this everywhere.
pub(super) fn check_paths(content: &[ToolCallContent], locations: &[ToolCallLocation]) -> Result<()> {
    let diffs = content.iter().filter_map(|content| match content {
        ToolCallContent::Diff(diff) => Some(diff.path.as_ref()),
        _ => None,
    });
    let places = locations.iter().map(|location| location.path.as_ref());
    #[cfg(feature = "v2")]
    let places = places.chain(content.iter().flat_map(super::file_change::paths));
    match diffs.chain(places).find(|path: &&Path| !path.is_absolute()) {
        None => {}
        Some(path) => {
            return Err(Error::internal_error(format!(
                "the agent reported the path `{}` of a tool call; the protocol's paths are absolute",
                path.display()
            )));
        }
    }
    locations.iter().filter_map(|location| location.line).try_for_each(check_line)
}
