//! Files for agents, within the folders of their sessions.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use acp_peer::Error;
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{
    Roots,
    confined::{Confined, Part},
};
use crate::values::{ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse};

/// The default limit of bytes that a read returns.
const MOST: usize = 16 * 1024 * 1024;
/// The number of files that are read or written at once. The number is small, because each file may be in memory as a
/// whole.
const AT_ONCE: usize = 4;

/// Reads and writes text files on disk for an agent. A file must be in a folder of the agent's session, or the user
/// must have allowed it: see [`Roots`]. Clones are the same part.
/// Only with the feature `files`, which is on by default.
///
/// A request for a path outside is refused, and the agent does not learn whether the path exists. If the path is a
/// link, its target counts. A relative link is followed if its target is in the same root: the session's folder, or the
/// further folder, in which the link lies. Links that lead out of this root are refused, also if they lead to another
/// folder of the session. So are absolute links. The folders themselves are resolved when the session begins. A folder
/// inside another one is opened from there, so this holds for a link in its place, too. In a root that is a single file, no link is followed.
///
/// A write makes the missing folders of the file. It replaces the content in one step, so a reader gets the old or the
/// new content. Permissions stay, and until it has them, the new content can be read by its owner alone. A new file has the
/// permissions of all new files. Other names of the same file (hard links) keep the old content.
///
/// An editor answers from its unsaved buffers first, and uses this part for other files.
///
/// ```
/// use acp_client::{parts::{Files, Roots}, values::ReadTextFileRequest};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let roots = Roots::new();
/// let files = Files::new(roots.clone());
/// roots.open("session-1", [std::env::temp_dir()]);
/// let outside = ReadTextFileRequest::new("session-1", "/etc/passwd");
/// assert!(files.read_text_file(outside).await.is_err());
/// # }
/// ```
///
/// See [File system](https://agentclientprotocol.com/protocol/v1/file-system).
#[derive(Clone, Debug)]
pub struct Files {
    roots: Roots,
    max_bytes: usize,
    slots: Arc<Semaphore>,
}

impl Files {
    /// Serves files in these folders.
    pub fn new(roots: Roots) -> Self {
        Self { roots, max_bytes: MOST, slots: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Sets the limit of bytes that a read returns: 16 MiB by default. For a longer file, the agent must ask for a
    /// part.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Answers `fs/read_text_file` with the requested lines and their line ends. Lines after the end of the file are
    /// left out.
    ///
    /// # Errors
    ///
    /// The session is unknown. The path is relative, or outside of the session's folders. The file is missing
    /// (`-32002`), too long, not a regular file, not UTF-8, or not readable. The line is 0.
    pub async fn read_text_file(&self, request: ReadTextFileRequest) -> Result<ReadTextFileResponse, Error> {
        let ReadTextFileRequest { session_id, path, line, limit, .. } = request;
        let Some(skip) = line.unwrap_or(1).checked_sub(1) else {
            return Err(Error::invalid_params("there is no line 0; the protocol counts lines from 1"));
        };
        let lines = limit.map_or(u64::MAX, u64::from);
        let part = Part { skip: skip.into(), lines, bytes: self.max_bytes };
        let roots = self.roots.clone();
        let gone = SetOnDrop::default();
        let flag = gone.0.clone();
        let read = move || Confined::open(&path, &roots.of(&session_id)?)?.read(&part, &flag);
        let content = self.run(read).await?;
        Ok(ReadTextFileResponse::new(content))
    }

    /// Answers `fs/write_text_file`.
    ///
    /// # Errors
    ///
    /// The session is unknown. The path is relative, outside of the session's folders, not a file, or not writable.
    pub async fn write_text_file(&self, request: WriteTextFileRequest) -> Result<WriteTextFileResponse, Error> {
        let WriteTextFileRequest { session_id, path, content, .. } = request;
        let roots = self.roots.clone();
        self.run(move || Confined::open(&path, &roots.of(&session_id)?)?.write(&content)).await?;
        Ok(WriteTextFileResponse::new())
    }

    /// Runs work on files on a thread of its own, because such work waits for the disk.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slots.clone().acquire_owned().await;
        let work = move || {
            // The work holds the slot until it ends, even if its caller is gone.
            let _slot = slot;
            work()
        };
        spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::internal_error("the work on a file was given up")))
    }
}

/// Tells the work on a file that its caller is gone.
#[derive(Default)]
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
