//! A command that the agent itself runs, from its start to its release.

use std::{
    io,
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tokio::{
    sync::{oneshot, watch},
    task::JoinHandle,
    time::timeout,
};

use super::{
    shown::Shown,
    system::{Group, Reader},
};
use acp_local::{Output, Partial, exit_status};

use crate::{
    rpc::CancellationToken,
    values::{TerminalExitStatus, TerminalId, TerminalOutputResponse},
    wire::{Cancelled, Error, Result},
};

/// The number of bytes that are read at once.
pub(super) const CHUNK: usize = 16 * 1024;
/// The time that the output may end later than the command. It is limited, because a process in the background may hold the
/// output open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The exit of a command; the error if the system does not tell it.
type Exit = std::result::Result<TerminalExitStatus, ()>;

/// A command. Its drop kills all its processes.
pub(super) struct Running {
    output: Arc<Mutex<Output>>,
    exit: watch::Receiver<Option<Exit>>,
    group: Arc<Group>,
    cancel: CancellationToken,
    released: CancellationToken,
    shown: Shown,
}

impl Running {
    /// Starts a command, and keeps at most `limit` bytes of its output. If `cancel` is set, all its processes are killed. `show`
    /// shows the command when it has started.
    pub(super) fn start(
        mut command: Command,
        limit: usize,
        cancel: CancellationToken,
        show: impl FnOnce() -> Shown,
    ) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        // The output and the errors share one pipe, so that they stay in order.
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let reader = Reader::new(reader)?;
        let (group, mut child) = Group::start(&mut command)?;
        // This value holds the writing end of the pipe open.
        drop(command);
        let shown = show();
        let (ended, end) = oneshot::channel();
        // A thread waits: for a task, tokio would need the feature `process`. The thread ends with the command.
        thread::Builder::new().name("acp-command".to_owned()).spawn(move || ended.send(child.wait()))?;
        let (output, group) = (Arc::new(Mutex::new(Output::new(limit))), Arc::new(group));
        let reading = tokio::spawn(read(reader, output.clone(), shown.clone()));
        let ((sender, exit), released) = (watch::channel(None), CancellationToken::new());
        let (called_off, over) = (cancel.clone(), released.clone());
        tokio::spawn(attend(end, reading, sender, group.clone(), called_off, over, shown.clone()));
        Ok(Self { output, exit, group, cancel, released, shown })
    }

    /// The output so far, and the exit, if the command has ended.
    pub(super) fn output(&self) -> TerminalOutputResponse {
        // The exit is read first: if there is one, the output is complete.
        let status = self.exit.borrow().clone().map(Result::unwrap_or_default);
        let mut output = lock(&self.output);
        TerminalOutputResponse::new(output.text(), output.is_truncated()).exit_status(status)
    }

    /// Waits for the exit.
    pub(super) async fn wait_for_exit(&self) -> Result<TerminalExitStatus> {
        let mut exit = self.exit.clone();
        let exit = self.cancel.run_until_cancelled(exit.wait_for(Option::is_some)).await.ok_or(Cancelled)?;
        let exit = exit.ok().and_then(|exit| exit.clone()?.ok());
        exit.ok_or_else(|| Error::internal_error("the system does not tell how the command ended"))
    }

    /// The terminal in which the client shows the command.
    pub(super) fn shown(&self) -> Option<&TerminalId> {
        self.shown.id()
    }

    /// If the command has ended, waits until the client is told so.
    pub(super) async fn told(&self) -> Result<()> {
        if self.exit.borrow().is_none() {
            return Ok(());
        }
        Ok(self.cancel.run_until_cancelled(std::pin::pin!(self.shown.told())).await.ok_or(Cancelled)?)
    }

    /// Kills all processes of the command. The output stays readable.
    pub(super) fn kill(&self) {
        self.group.kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.released.cancel();
        self.group.end();
    }
}

/// Reports the exit of a command, and kills its processes when the call is cancelled.
async fn attend(
    mut end: oneshot::Receiver<io::Result<ExitStatus>>,
    mut reading: JoinHandle<()>,
    exit: watch::Sender<Option<Exit>>,
    group: Arc<Group>,
    cancel: CancellationToken,
    released: CancellationToken,
    shown: Shown,
) {
    let status = match shown.unless_cancelled(cancel.run_until_cancelled(&mut end)).await.flatten() {
        Some(status) => status,
        None => {
            group.kill();
            end.await
        }
    };
    // The exit is reported after the output is complete.
    let _ = timeout(LAST_WORDS, &mut reading).await;
    let status = match status {
        Ok(Ok(status)) => Ok(exit_status(status)),
        Ok(Err(_)) | Err(_) => Err(()),
    };
    shown.exited(status.as_ref().ok());
    exit.send_replace(Some(status));
    // Processes in the background go on until the release.
    if cancel.run_until_cancelled(released.cancelled()).await.is_none() {
        group.kill();
        released.cancelled().await;
    }
    reading.abort();
}

async fn read(mut from: Reader, into: Arc<Mutex<Output>>, shown: Shown) {
    let mut partial = Partial::default();
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        shown.output(&chunk[..count]);
        lock(&into).push(&chunk[..count], &mut partial);
    }
    lock(&into).finish(&mut partial);
}

fn lock(output: &Mutex<Output>) -> MutexGuard<'_, Output> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}
