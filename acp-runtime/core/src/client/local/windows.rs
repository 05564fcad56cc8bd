//! Processes of Windows: a command is ended with the processes that it has started, as far as the system knows them.
//!
//! Jobs would need another crate. So `taskkill /T` ends the tree of processes. If the agent itself is killed, its commands go on.

use std::{
    io::{self, Read as _},
    process::{Child, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use tokio::sync::mpsc;

/// A command and the processes that it has started.
pub(super) struct Group {
    id: u32,
    has_ended: AtomicBool,
    killing: Mutex<()>,
}

impl Group {
    /// Starts a command.
    pub(super) fn start(command: &mut Command) -> io::Result<(Self, Child)> {
        let child = command.spawn()?;
        Ok((Self { id: child.id(), has_ended: AtomicBool::new(false), killing: Mutex::new(()) }, child))
    }

    /// Kills the command and its processes.
    pub(super) fn kill(&self) {
        let _one = self.killing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.has_ended.load(Ordering::Acquire) {
            return;
        }
        let mut kill = Command::new("taskkill");
        kill.args(["/T", "/F", "/PID", &self.id.to_string()]);
        // The call fails if the command has ended.
        let _ = kill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// Kills the command and its processes, for the last time.
    pub(super) fn end(&self) {
        self.kill();
        self.has_ended.store(true, Ordering::Release);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// The reading end of a command's output. A thread reads, because the system cannot wait for a pipe in another way.
pub(super) struct Reader(mpsc::Receiver<Vec<u8>>);

impl Reader {
    pub(super) fn new(mut pipe: io::PipeReader) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(4);
        thread::Builder::new().name("acp-output".to_owned()).spawn(move || {
            let mut chunk = vec![0; super::running::CHUNK];
            while let Ok(count @ 1..) = pipe.read(&mut chunk) {
                if sender.blocking_send(chunk[..count].to_vec()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self(receiver))
    }

    /// Waits for bytes. Returns 0 at the end.
    pub(super) async fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(chunk) = self.0.recv().await else { return Ok(0) };
        into[..chunk.len()].copy_from_slice(&chunk);
        Ok(chunk.len())
    }
}

/// The shell, and the arguments before its line.
pub(super) const SHELL: (&str, &[&str]) = ("cmd", &["/d", "/s", "/c"]);
