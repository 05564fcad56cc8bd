//! An agent's process: started in a group of its own, watched, and ended with all that it has started.

#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(not(unix))]
#[path = "portable.rs"]
mod system;
mod tail;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::PathBuf,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::Duration,
};

use acp_runtime_core::__role::CancellationToken;
use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::watch,
    time::timeout,
};

use self::system::Group;
pub use self::tail::Stderr;
pub(crate) use self::tail::Tail;
use crate::{Error, ErrorKind, Result, link::Link, transport::ByteStream};

/// How long the end of a process may come behind that of its output.
const MOMENT: Duration = Duration::from_millis(300);

/// How an agent's process has ended.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Exit {
    /// As the system tells it.
    pub status: ExitStatus,
    /// It did not end by itself when its input was closed, but was told to, or killed.
    pub forced: bool,
    /// Processes that it had started were still there, and have been killed. Known on Linux only.
    pub orphans: bool,
}

/// An agent's process. Dropped, it ends like one whose connection is closed.
pub(crate) struct Process {
    /// Until it is supervised.
    child: Option<Child>,
    group: Option<Group>,
    grace: Duration,
    tail: Arc<Tail>,
    relaunch: Relaunch,
    stop: CancellationToken,
    exit: watch::Sender<Option<Exit>>,
}

/// Waits for the end of a process.
pub(crate) struct Watch(watch::Receiver<Option<Exit>>);

impl Watch {
    /// How it ended, if it has, or does in a moment.
    pub(crate) async fn exited(&mut self) -> Option<Exit> {
        timeout(MOMENT, self.0.wait_for(Option::is_some)).await.ok()?.ok().and_then(|exit| *exit)
    }
}

/// What a program was started with, to start it once more.
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

    /// The same with further arguments, and environment above.
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

type Pipes = ByteStream<ChildStdout, ChildStdin>;

impl Process {
    /// Starts a program.
    pub(crate) fn spawn(mut command: Command, stderr: Stderr, grace: Duration) -> Result<(Self, Pipes)> {
        let relaunch = Relaunch::of(command.as_std());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        system::prepare(&mut command);
        let failed = |error| {
            let program = relaunch.program.to_string_lossy().into_owned();
            Error::new(ErrorKind::Start { program, error })
        };
        let mut child = command.spawn().map_err(failed)?;
        let unpiped = || failed(io::Error::other("it has no pipes"));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else { return Err(unpiped()) };
        let group = Group::of(&child).ok_or_else(unpiped)?;
        let (tail, exit) = (Tail::read(errors, stderr), watch::Sender::new(None));
        let stop = CancellationToken::new();
        let process = Self { child: Some(child), group: Some(group), grace, tail, relaunch, stop, exit };
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

    /// Sees to the end of the process from here on: that it is noticed, and that it comes when the connection is over.
    pub(crate) fn supervise(&mut self, link: &Arc<Link>) {
        let (Some(child), Some(group)) = (self.child.take(), self.group.take()) else { return };
        let (grace, stop, exit, link) = (self.grace, self.stop.clone(), self.exit.clone(), link.clone());
        tokio::spawn(async move {
            let status = supervise(child, group, grace, &stop, &link).await;
            exit.send_replace(status.ok());
            // Whoever else holds its output says nothing of the agent any more, once what it said is read.
            while timeout(grace, link.closed()).await.is_err() {
                if !link.gauge.is_full() {
                    link.peer.hang_up();
                }
            }
        });
    }

    /// Ends the process, and waits for that.
    pub(crate) async fn end(self) -> io::Result<Exit> {
        self.stop.cancel();
        let mut exit = self.exit.subscribe();
        let exit = exit.wait_for(Option::is_some).await.map_err(|_| io::Error::other("nobody watched the process"))?;
        exit.ok_or_else(|| io::Error::other("the process cannot be waited for"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Waits for the end of the process or of the connection; sees to the other, and to what the process has started.
async fn supervise(
    mut child: Child,
    group: Group,
    grace: Duration,
    stop: &CancellationToken,
    link: &Link,
) -> io::Result<Exit> {
    let mut forced = false;
    let connected = async {
        tokio::select! {
            () = stop.cancelled() => {}
            _ = link.closed() => {}
        }
    };
    let is_over = tokio::select! {
        () = group.leader_exited() => true,
        () = connected => false,
    };
    if !is_over {
        // Its input ends with the output of this side.
        link.peer.hang_up();
        if timeout(grace, group.leader_exited()).await.is_err() {
            forced = true;
            group.terminate();
            if timeout(grace, group.leader_exited()).await.is_err() {
                group.kill();
            }
        }
    }
    group.leader_exited().await;
    // The leader is not reaped yet, so its number is nobody else's.
    let orphans = group.has_others();
    group.kill();
    let status = child.wait().await?;
    group.is_reaped();
    Ok(Exit { status, forced, orphans })
}
