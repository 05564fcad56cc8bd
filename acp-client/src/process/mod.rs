//! An agent's process. It is started in a group of its own, watched, and ended with all processes that it has started.
//!
//! The process ends in up to three steps: its input is closed, it is told to end, it is killed. [`system`] has the
//! differences between systems. A system provides a [`Leader`](system::Leader). A caller can wait for the leader's exit
//! before the system gives the leader's number away. So the rest of the group can be ended safely.

mod forward;
#[cfg(any(windows, test))]
mod search;
#[cfg(unix)]
mod signals;
mod start;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;
mod tail;
#[cfg(unix)]
mod watchdog;

use std::{collections::BTreeMap, ffi::OsString, io, path::PathBuf, process::Stdio, sync::Arc, time::Duration};

use acp_peer::CancellationToken;
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout, Command},
    sync::watch,
    time::{sleep, timeout},
};

pub(crate) use self::system::Leader;
pub use self::tail::Stderr;
pub(crate) use self::tail::Tail;
use crate::{Error, ErrorKind, Exit, Result, transport::ByteStream};

/// The process may end this much later than its output.
const MOMENT: Duration = Duration::from_millis(300);
/// The interval of the checks whether an agent's processes are gone.
const LOOK: Duration = Duration::from_millis(10);

/// Standard input, output, and errors.
pub(crate) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

/// The kind of a group of processes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// An agent. It sees the end of its input when this program ends.
    Agent(#[cfg_attr(not(unix), expect(dead_code, reason = "Windows has no such signals"))] Signals),
    /// A command of an agent. It has no input.
    Command,
}

/// The handling of signals that end this program: `SIGINT` (Ctrl-C), `SIGTERM` and `SIGHUP`.
///
/// An agent is the leader of a process group, so that it can be ended together with the processes that it started. For
/// this reason, a terminal does not send Ctrl-C to the agent, and a signal to the client's group does not reach the
/// agent.
///
/// # When the program is gone
///
/// This program may end without closing its connections: by a signal, by `SIGKILL`, by a crash, or by
/// [`std::process::exit`]. Then its agents see the end of their input, and most agents end. A watchdog ends the others:
/// it is one small process (`/bin/sh`), which starts with the first agent or command. It tells the commands of
/// [terminals](crate::parts::Terminals) to end at once, and tells each agent that still runs after 2 to 3 s, with all
/// processes of its group. After as long again, it kills the rest. These processes are not ended:
///
/// - a process that has left its process group, as daemons do;
/// - all of them, if the watchdog itself is killed, or if the whole machine or container is stopped;
/// - an agent's children, or a command, if this program is killed in the few milliseconds in which it starts the agent or
///   the command.
///
/// On Windows, the setting has no effect. Console events reach the client and the agent, and the system ends an agent
/// and its commands with the client.
///
/// ```
/// use acp_client::{Endpoint, Signals};
///
/// // This program has no handler for Ctrl-C. Its agents get the signal, and it waits for their end.
/// let endpoint = Endpoint::program("coder").signals(Signals::Forward);
/// # let _ = endpoint;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Signals {
    /// The crate does not handle signals. A program without a handler ends by the signal at once. A program with a
    /// handler does its own work first, and closes its connections.
    #[default]
    Leave,
    /// The agent, the commands of terminals, and the processes that they started get the signal, too. Then this program
    /// ends by the signal. It waits until all agents have ended, or until the longest
    /// [`grace`](crate::ConnectOptions) is over and the remaining agents are killed. A second signal ends the program
    /// at once.
    ///
    /// Use this only in a program that has no handler for these signals, for example no
    /// [`ctrl_c`](tokio::signal::ctrl_c). This crate cannot see such a handler, and would end the program in the middle
    /// of the handler's work.
    ///
    /// One thread receives these signals, from the first such agent until the end of the program. If a signal was
    /// already ignored when the program started, for example because of `nohup`, the signal stays ignored (on Linux).
    Forward,
}

/// An agent's process. If it is dropped, it ends as if its connection were closed.
pub(crate) struct Process {
    /// `None` once the process is supervised.
    leader: Option<Leader>,
    grace: Duration,
    tail: Arc<Tail>,
    relaunch: Relaunch,
    stop: CancellationToken,
    exit: watch::Sender<Option<Exit>>,
    /// Cancelled when no process of the group is left.
    gone: CancellationToken,
}

/// Waits for the end of a process.
pub(crate) struct Watch(watch::Receiver<Option<Exit>>);

impl Watch {
    /// The exit of the process. `None` if the process does not end within a moment.
    pub(crate) async fn exited(&mut self) -> Option<Exit> {
        timeout(MOMENT, self.0.wait_for(Option::is_some)).await.ok()?.ok().and_then(|exit| *exit)
    }

    /// Waits until the process has ended.
    pub(crate) async fn ended(&mut self) {
        if self.0.wait_for(Option::is_some).await.is_err() {
            // Nobody supervises the process any more, because the runtime has ended.
            std::future::pending::<()>().await;
        }
    }
}

/// The parts of a command that are needed to start the program once more.
pub(crate) struct Relaunch {
    program: OsString,
    args: Vec<OsString>,
    env: Vec<(OsString, Option<OsString>)>,
    dir: Option<PathBuf>,
}

impl Relaunch {
    fn of(command: &std::process::Command) -> Self {
        Self {
            program: command.get_program().to_owned(),
            args: command.get_args().map(ToOwned::to_owned).collect(),
            env: command.get_envs().map(|(key, value)| (key.to_owned(), value.map(ToOwned::to_owned))).collect(),
            dir: command.get_current_dir().map(ToOwned::to_owned),
        }
    }

    /// The same command with `args` added, and with `env` over its environment.
    pub(crate) fn command(&self, args: &[String], env: &BTreeMap<String, String>) -> std::process::Command {
        let mut command = std::process::Command::new(&self.program);
        command.args(&self.args).args(args);
        for (key, value) in &self.env {
            match value {
                Some(value) => command.env(key, value),
                None => command.env_remove(key),
            };
        }
        command.envs(env);
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }
}

fn pipe(command: &mut std::process::Command) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
}

impl Process {
    /// Starts a program.
    pub(crate) fn spawn(
        mut command: Command,
        stderr: Stderr,
        signals: Signals,
        grace: Duration,
    ) -> Result<(Self, ByteStream<ChildStdout, ChildStdin>)> {
        let relaunch = Relaunch::of(command.as_std());
        pipe(command.as_std_mut());
        let failed = |error| {
            let program = relaunch.program.to_string_lossy().into_owned();
            Error::new(ErrorKind::Start { program, error: start::explain(error, &relaunch) })
        };
        let mut leader = Leader::spawn(command, Kind::Agent(signals), grace).map_err(failed)?;
        let pipes = leader.pipes().ok_or_else(|| failed(io::Error::other("it has no pipes")));
        let (input, output, errors) = pipes?;
        let (tail, exit) = (Tail::read(errors, stderr), watch::Sender::new(None));
        let (stop, gone) = Default::default();
        let process = Self { leader: Some(leader), grace, tail, relaunch, stop, exit, gone };
        Ok((process, ByteStream::new(output, input)))
    }

    pub(crate) fn tail(&self) -> &Arc<Tail> {
        &self.tail
    }

    pub(crate) fn relaunch(&self) -> &Relaunch {
        &self.relaunch
    }

    pub(crate) fn watch(&self) -> Watch {
        Watch(self.exit.subscribe())
    }

    /// Supervises the process of a proxy, which itself closes the process's input.
    pub(crate) fn supervise_for_proxy(&mut self) {
        self.supervise_until(std::future::pending(), || {}, || {}, async {});
    }

    /// Supervises the process until it ends. It is ended when `over` is ready or when this value is dropped; `hang_up`
    /// closes its input then. `exited` is called as soon as the process has ended, and `ended` runs when its group has
    /// ended, too.
    pub(crate) fn supervise_until(
        &mut self,
        over: impl Future<Output = ()> + Send + 'static,
        hang_up: impl Fn() + Send + Sync + 'static,
        exited: impl Fn() + Send + Sync + 'static,
        ended: impl Future<Output = ()> + Send + 'static,
    ) {
        let Some(leader) = self.leader.take() else { return };
        let (grace, stop, exit) = (self.grace, self.stop.clone(), self.exit.clone());
        // The guard is dropped, too, when the runtime ends first.
        let gone = self.gone.clone().drop_guard();
        tokio::spawn(async move {
            let over = async {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = over => {}
                }
            };
            supervise(leader, grace, over, hang_up, exited, &exit).await;
            drop(gone);
            ended.await;
        });
    }

    /// Ends the process, and waits until no process of its group is left.
    pub(crate) async fn end(self) -> io::Result<Exit> {
        self.stop.cancel();
        self.gone.cancelled().await;
        // A process that has left the group may hold the stderr open, and nobody may read the stderr of this program.
        let _ = timeout(MOMENT, self.tail.forwarded()).await;
        let exit = *self.exit.borrow();
        exit.ok_or_else(|| io::Error::other("the system does not tell how the agent's process ended"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Waits until the process or its connection ends, and then ends the other one. Then ends the processes that the agent
/// started.
async fn supervise(
    mut leader: Leader,
    grace: Duration,
    over: impl Future<Output = ()>,
    hang_up: impl Fn(),
    exited: impl Fn(),
    exit: &watch::Sender<Option<Exit>>,
) {
    let mut forced = false;
    let mut status = tokio::select! {
        status = leader.exited() => Some(status),
        () = over => None,
    };
    if status.is_none() {
        // To hang up closes the agent's input.
        hang_up();
        status = timeout(grace, leader.exited()).await.ok();
    }
    if status.is_none() {
        forced = true;
        if leader.terminate() {
            status = timeout(grace, leader.exited()).await.ok();
        }
    }
    let status = match status {
        Some(status) => status,
        None => {
            leader.kill();
            leader.exited().await
        }
    };
    if leader.is_program_ending() {
        // The signal that ends this program has also ended the agent. So no caller gets an error about this end.
        std::future::pending::<()>().await;
    }
    // The leader is not reaped yet, so no other process has its number.
    let orphans = leader.has_others();
    // The exit is published before the rest of the group ends, because callers that wait for an answer need the reason
    // now.
    exit.send_replace(status.ok().map(|status| Exit { status, forced, orphans }));
    exited();
    if orphans && leader.terminate() {
        let _ = timeout(grace, alone(&leader)).await;
    }
    leader.kill();
    // The system may need a moment to kill.
    let _ = timeout(MOMENT, alone(&leader)).await;
    leader.reap().await;
}

/// Waits until all processes of the group are gone.
async fn alone(leader: &Leader) {
    while leader.has_others() {
        sleep(LOOK).await;
    }
}
