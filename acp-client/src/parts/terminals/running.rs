//! One command from its start to the release of its terminal. It may have ended.

use std::{
    io,
    process::Stdio,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_local::Output;
use acp_local::Partial;
use acp_local::exit_status;
use acp_peer::CancellationToken;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
    sync::watch,
    task::JoinSet,
    time::timeout,
};

use crate::{
    process::{Kind, Leader},
    values::{TerminalExitStatus, TerminalOutputResponse},
};

/// The time that the output may end later than the command. It is limited because other processes may hold the output
/// open for long.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The time for a command to end when this program ends by a signal.
const GRACE: Duration = Duration::from_secs(2);

type Exit = Result<TerminalExitStatus, ()>;

/// The output and the exit of a command, also after its release.
#[derive(Clone)]
pub(super) struct Record {
    output: Arc<Mutex<Output>>,
    exit: watch::Receiver<Option<Exit>>,
}

impl Record {
    /// The output in the form of the protocol.
    pub(super) fn told(&self) -> TerminalOutputResponse {
        // The exit is read first: if there is one, the output is complete.
        let status = self.exit.borrow().clone().map(Result::unwrap_or_default);
        let mut output = lock(&self.output);
        TerminalOutputResponse::new(output.text(), output.is_truncated()).exit_status(status)
    }
}

/// A command. Its drop releases the terminal.
pub(super) struct Running {
    record: Record,
    kill: CancellationToken,
    release: CancellationToken,
    gone: CancellationToken,
}

impl Running {
    /// Starts a command, and keeps at most `limit` bytes of its output.
    pub(super) fn start(mut command: Command, limit: usize) -> io::Result<Self> {
        command.stdin(Stdio::null());
        let output = Arc::new(Mutex::new(Output::new(limit)));
        let mut reading = JoinSet::new();
        #[cfg(unix)]
        let leader = {
            // The output and the errors share one pipe, so that they stay in order.
            let (reader, writer) = io::pipe()?;
            command.stdout(writer.try_clone()?).stderr(writer);
            let reader = tokio::net::unix::pipe::Receiver::from_owned_fd(reader.into())?;
            let leader = Leader::spawn(command, Kind::Command, GRACE)?;
            reading.spawn(read(reader, output.clone()));
            leader
        };
        #[cfg(not(unix))]
        let leader = {
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut leader = Leader::spawn(command, Kind::Command, GRACE)?;
            // On Windows there are separate pipes. The input is dropped here, so it is closed.
            if let Some((_, printed, errors)) = leader.pipes() {
                reading.spawn(read(printed, output.clone()));
                reading.spawn(read(errors, output.clone()));
            }
            leader
        };
        let (sender, exit) = watch::channel(None);
        let (kill, release, gone) = <(CancellationToken, CancellationToken, CancellationToken)>::default();
        tokio::spawn({
            let (kill, release, gone) = (kill.clone(), release.clone(), gone.clone().drop_guard());
            async move {
                attend(leader, reading, &sender, &kill, &release).await;
                drop(gone);
            }
        });
        Ok(Self { record: Record { output, exit }, kill, release, gone })
    }

    /// The output so far, and the exit, if the command has ended.
    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    /// Waits for the exit; `None` if the system does not tell it.
    pub(super) fn watch(&self) -> impl Future<Output = Option<TerminalExitStatus>> + Send + use<> {
        let mut exit = self.record.exit.clone();
        async move { exit.wait_for(Option::is_some).await.ok().and_then(|exit| exit.clone()?.ok()) }
    }

    pub(super) fn kill(&self) {
        self.kill.cancel();
    }

    pub(super) fn release(&self) {
        self.release.cancel();
    }

    /// Waits until all processes of the command are gone.
    pub(super) fn gone(&self) -> impl Future<Output = ()> + Send + use<> {
        let gone = self.gone.clone();
        async move { gone.cancelled().await }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.release();
    }
}

/// Supervises a command until it is released.
async fn attend(
    mut leader: Leader,
    mut reading: JoinSet<()>,
    exit: &watch::Sender<Option<Exit>>,
    kill: &CancellationToken,
    release: &CancellationToken,
) {
    let ended = async {
        tokio::select! {
            () = kill.cancelled() => {}
            () = release.cancelled() => {}
        }
    };
    let status = tokio::select! {
        status = leader.exited() => Some(status),
        () = ended => None,
    };
    let status = match status {
        Some(status) => status,
        None => {
            leader.kill();
            leader.exited().await
        }
    };
    // The exit is reported after the output is complete. The time is limited because a background process may still
    // hold the pipe.
    let _ = timeout(LAST_WORDS, async { while reading.join_next().await.is_some() {} }).await;
    exit.send_replace(Some(status.map(exit_status).map_err(drop)));
    if !kill.is_cancelled() {
        tokio::select! {
            () = kill.cancelled() => leader.kill(),
            () = release.cancelled() => {}
        }
    }
    // The leader is reaped only after the release. So no other process gets its number before, and `kill` meets the
    // right group.
    release.cancelled().await;
    leader.kill();
    leader.reap().await;
}

async fn read(mut from: impl AsyncRead + Unpin, into: Arc<Mutex<Output>>) {
    let mut partial = Partial::default();
    let mut chunk = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        lock(&into).push(&chunk[..count], &mut partial);
    }
    lock(&into).finish(&mut partial);
}

fn lock(output: &Mutex<Output>) -> MutexGuard<'_, Output> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}
