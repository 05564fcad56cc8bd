//! The client's text files. Unsaved changes are part of them.
//!
//! See [File system](https://agentclientprotocol.com/protocol/v1/file-system).

use std::path::{Path, PathBuf};

use super::asking::Client;
use crate::{
    values::{ReadTextFileRequest, WriteTextFileRequest, methods},
    wire::{Error, Result},
};

impl Client {
    /// Whether the client reads files for the agent.
    pub fn can_read_files(&self) -> bool {
        self.capabilities().fs.read_text_file
    }

    /// Whether the client writes files for the agent.
    pub fn can_write_files(&self) -> bool {
        self.capabilities().fs.write_text_file
    }

    /// Reads a text file in the editor's current state, with unsaved changes.
    ///
    /// # Errors
    ///
    /// The client does not offer to read files, or the path is not absolute. Or the client answers with an error
    /// (`-32002` if the file does not exist).
    pub async fn read_text_file(&self, path: impl Into<PathBuf>) -> Result<String> {
        self.read(path.into(), None, None).await
    }

    /// Reads `limit` lines of a text file, beginning with line `line` (the first line is 1).
    ///
    /// # Errors
    ///
    /// As [`read_text_file`](Self::read_text_file). Also an error if `line` is 0.
    pub async fn read_text_file_lines(&self, path: impl Into<PathBuf>, line: u32, limit: u32) -> Result<String> {
        self.read(path.into(), Some(line), Some(limit)).await
    }

    async fn read(&self, path: PathBuf, line: Option<u32>, limit: Option<u32>) -> Result<String> {
        if !self.can_read_files() {
            return Err(self.unoffered("fs/read_text_file", "fs.readTextFile"));
        }
        check_path(&path)?;
        line.map_or(Ok(()), check_line)?;
        let request = ReadTextFileRequest::new(self.session()?, path).line(line).limit(limit).meta(self.meta());
        Ok(self.request::<methods::ReadTextFile>(&request).await?.content)
    }

    /// Writes a text file through the editor. If the file does not exist, it is created.
    ///
    /// # Errors
    ///
    /// The client does not offer to write files, the path is not absolute, or the client answers with an error.
    pub async fn write_text_file(&self, path: impl Into<PathBuf>, content: impl Into<String>) -> Result<()> {
        if !self.can_write_files() {
            return Err(self.unoffered("fs/write_text_file", "fs.writeTextFile"));
        }
        let path = path.into();
        check_path(&path)?;
        let request = WriteTextFileRequest::new(self.session()?, path, content.into()).meta(self.meta());
        self.request::<methods::WriteTextFile>(&request).await?;
        Ok(())
    }
}

/// Checks that a path is absolute. The protocol demands this.
pub(super) fn check_path(path: &Path) -> Result<()> {
    if path.is_absolute() {
        return Ok(());
    }
    Err(Error::internal_error(format!(
        "the agent asked its client for the path `{}`; the protocol's paths are absolute",
        path.display()
    )))
}

/// Checks a line number. The protocol counts lines from 1.
pub(crate) fn check_line(line: u32) -> Result<()> {
    if line > 0 {
        return Ok(());
    }
    Err(Error::internal_error("the agent named line 0 of a file; the protocol counts lines from 1"))
}
