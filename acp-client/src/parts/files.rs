//! Files for agents, within the folders of their sessions.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use acp_runtime_core::Error;
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{
    Roots,
    confined::{Confined, Part},
};
use crate::values::{ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse};

/// A read gives so many bytes at most, unless said otherwise.
const MOST: usize = 16 * 1024 * 1024;
/// So many files are read or written at once: each may be in memory as a whole.
const AT_ONCE: usize = 4;

/// Reads and writes text files of the disk for an agent, within the folders of its session and what the user allowed beyond:
/// see [`Roots`]. Clones are the same part.
///
/// What the agent asks for outside is refused, and it does not learn whether that exists. Links count by where they lead: one
/// that stays in its folder is followed, others are refused, as are absolute ones.
///
/// A write makes the folders that the file is in, and puts the new content in its place at once: whoever reads meanwhile gets
/// the old or the new. Permissions stay; other names of the same file (hard links) keep the old content.
///
/// An editor answers from its unsaved buffers first, and from here where it has none.
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
    /// Files in these folders.
    pub fn new(roots: Roots) -> Self {
        Self { roots, max_bytes: MOST, slots: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// How many bytes a read gives at most: 16 MiB. Of a longer file the agent has to ask for some lines.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Answers `fs/read_text_file`: the lines asked for, with their ends; none behind the end of the file.
    ///
    /// # Errors
    ///
    /// The session is unknown, the path is relative or outside of its folders, the file is missing (`-32002`), too long, no
    /// file, no UTF-8, or not to be read; line 0.
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
    /// The session is unknown, the path is relative or outside of its folders, no file, or not to be written.
    pub async fn write_text_file(&self, request: WriteTextFileRequest) -> Result<WriteTextFileResponse, Error> {
        let WriteTextFileRequest { session_id, path, content, .. } = request;
        let roots = self.roots.clone();
        self.run(move || Confined::open(&path, &roots.of(&session_id)?)?.write(&content)).await?;
        Ok(WriteTextFileResponse::new())
    }

    /// Runs what waits for the disk where that holds up nobody.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slots.clone().acquire_owned().await;
        let work = move || {
            // Held until the work is over, also where nobody waits for it any more.
            let _slot = slot;
            work()
        };
        spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::internal_error("the work on a file was given up")))
    }
}

/// Tells the work on a file that nobody waits for it.
#[derive(Default)]
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
