//! Changes of files as the content of a tool call, with what a diff of version 1 cannot say: a move, a deletion, a file that is no
//! text.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::{
    dialect::marks::{self, mark, marked},
    values::{Content, ContentBlock, Diff, ToolCallContent},
};

/// The change of one file, as the content of a [tool call](super::ToolCallHandle::show). Show several in a list. It comes with the
/// feature `v2`.
///
/// Paths are absolute. Give the texts before and after the change where there are some: the client shows them.
///
/// On version 2, changes that follow each other in a list are one diff, with one patch of all that have texts. A move and a copy
/// without texts leave the content as it is. On version 1, a change with texts is a [`Diff`] of its path, and any other one is a line
/// of text, such as "Moved `/a` to `/b`".
///
/// See [Content](https://agentclientprotocol.com/protocol/v2/tool-calls#content).
///
/// ```
/// use acp_runtime::{prelude::*, session::{FileChange, FileType}};
///
/// async fn rename<C: ConfigOptions>(turn: &Turn<C>, old: &str, new: &str) -> Result<()> {
///     let call = turn.tool_call("Rename the module").kind(ToolKind::Edit).start().await?;
///     let changes = [
///         FileChange::rename("/src/a.rs", "/src/b.rs"),
///         FileChange::modify("/src/lib.rs").old_text(old).new_text(new),
///         FileChange::delete("/docs/a.png").file_type(FileType::Binary).mime_type("image/png"),
///     ];
///     call.complete(changes).await
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a tool call shows it"]
pub struct FileChange {
    operation: Operation,
    path: PathBuf,
    old_text: Option<String>,
    new_text: Option<String>,
    file_type: Option<FileType>,
    mime_type: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Operation {
    Add,
    Modify,
    Delete,
    Rename { from: PathBuf },
    Copy { from: PathBuf },
}

/// What a file is, for its [`FileChange`].
/// Only with the feature `v2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// Text.
    Text,
    /// Anything that is no text.
    Binary,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
}

impl FileType {
    fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Binary => "binary",
            Self::Directory => "directory",
            Self::Symlink => "symlink",
        }
    }
}

impl FileChange {
    fn new(operation: Operation, path: impl Into<PathBuf>) -> Self {
        Self { operation, path: path.into(), old_text: None, new_text: None, file_type: None, mime_type: None }
    }

    /// A file is added.
    pub fn add(path: impl Into<PathBuf>) -> Self {
        Self::new(Operation::Add, path)
    }

    /// A file is modified in its place.
    pub fn modify(path: impl Into<PathBuf>) -> Self {
        Self::new(Operation::Modify, path)
    }

    /// A file is deleted.
    pub fn delete(path: impl Into<PathBuf>) -> Self {
        Self::new(Operation::Delete, path)
    }

    /// A file has another name or place. If its content changes, too, give both texts.
    pub fn rename(from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> Self {
        Self::new(Operation::Rename { from: from.into() }, to)
    }

    /// A file is copied. If the copy has another content, give both texts.
    pub fn copy(from: impl Into<PathBuf>, to: impl Into<PathBuf>) -> Self {
        Self::new(Operation::Copy { from: from.into() }, to)
    }

    /// The text before the change.
    pub fn old_text(mut self, text: impl Into<String>) -> Self {
        self.old_text = Some(text.into());
        self
    }

    /// The text after the change.
    pub fn new_text(mut self, text: impl Into<String>) -> Self {
        self.new_text = Some(text.into());
        self
    }

    /// What the file is after the change, or was before it is deleted. A file with a text is a text by default; that of others is
    /// not told.
    pub fn file_type(mut self, file_type: FileType) -> Self {
        self.file_type = Some(file_type);
        self
    }

    /// The MIME type of the file.
    pub fn mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The texts before and after the change, if they are known: the first is missing if the file is new.
    fn texts(&mut self) -> Option<(Option<String>, String)> {
        if !matches!(self.file_type, None | Some(FileType::Text)) {
            return None;
        }
        match self.operation {
            Operation::Add => Some((None, self.new_text.take()?)),
            Operation::Delete => Some((Some(self.old_text.take()?), String::new())),
            Operation::Modify | Operation::Rename { .. } | Operation::Copy { .. } => {
                let texts = self.old_text.take().zip(self.new_text.take());
                texts.map(|(old, new)| (Some(old), new))
            }
        }
    }

    /// The change in one line.
    fn line(&self) -> String {
        let path = self.path.display();
        match &self.operation {
            Operation::Add => format!("Added `{path}`"),
            Operation::Modify => format!("Modified `{path}`"),
            Operation::Delete => format!("Deleted `{path}`"),
            Operation::Rename { from } => format!("Moved `{}` to `{path}`", from.display()),
            Operation::Copy { from } => format!("Copied `{}` to `{path}`", from.display()),
        }
    }
}

impl From<FileChange> for ToolCallContent {
    fn from(mut change: FileChange) -> Self {
        let has_text = change.old_text.is_some() || change.new_text.is_some();
        let texts = change.texts();
        let file_type = change.file_type.or_else(|| has_text.then_some(FileType::Text));
        let text = |path: &Path| Value::from(path.to_string_lossy());
        let (operation, old_path) = match &change.operation {
            Operation::Add => ("add", None),
            Operation::Modify => ("modify", None),
            Operation::Delete => ("delete", None),
            Operation::Rename { from } => ("move", Some(from)),
            Operation::Copy { from } => ("copy", Some(from)),
        };
        let members = [
            ("operation", Some(Value::from(operation))),
            ("oldPath", old_path.map(|path| text(path))),
            ("path", Some(text(&change.path))),
            ("fileType", file_type.map(|file_type| file_type.as_str().into())),
            ("mimeType", change.mime_type.as_deref().map(Value::from)),
        ];
        let members = members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let mut meta = None;
        mark(&mut meta, marks::CHANGE, members.collect::<Map<_, _>>());
        match texts {
            Some((old, new)) => Diff::new(change.path, new).old_text(old).meta(meta).into(),
            None => Self::Content(Content::new(ContentBlock::from(change.line())).meta(meta)),
        }
    }
}

/// The paths of a change of a file, beside that of its diff.
pub(super) fn paths(content: &ToolCallContent) -> impl Iterator<Item = &Path> {
    let meta = match content {
        ToolCallContent::Content(content) => &content.meta,
        ToolCallContent::Diff(diff) => &diff.meta,
        _ => &None,
    };
    let is_diff = matches!(content, ToolCallContent::Diff(_));
    let path = move |name| marked(meta, marks::CHANGE)?.get(name)?.as_str().map(Path::new);
    [path("oldPath"), if is_diff { None } else { path("path") }].into_iter().flatten()
}
