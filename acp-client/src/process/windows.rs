//! Processes of Windows: a job that contains all processes of an agent, and the shells' rules for program names.
//!
//! Windows cannot ask a program without windows or console to end. So an agent that goes on after its input is closed
//! is killed. Console events reach both the client and the agent.

use std::{env, ffi::OsString, io, path::PathBuf, process::ExitStatus, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use tokio::process::Command;

use super::{Kind, Pipes, Relaunch, search};

/// An agent's process and its job. When this value is dropped or the client ends, the system kills the whole job.
pub(crate) struct Leader {
    child: Box<dyn ChildWrapper>,
}

impl Leader {
    /// Starts a program in a job of its own. The program only begins to run when it is in the job.
    pub(crate) fn spawn(command: Command, _: Kind, _: Duration) -> io::Result<Self> {
        let mut command = CommandWrap::from(named(command));
        // The order counts: `KillOnDrop` must come first, so that the job ends with its handle.
        let child = command.wrap(KillOnDrop).wrap(JobObject).spawn()?;
        Ok(Self { child })
    }

    pub(crate) fn pipes(&mut self) -> Option<Pipes> {
        Some((self.child.stdin().take()?, self.child.stdout().take()?, self.child.stderr().take()?))
    }

    /// Waits until the program itself has exited.
    pub(crate) async fn exited(&mut self) -> io::Result<ExitStatus> {
        // The job would wait for the end of all its processes.
        self.child.inner_mut().wait().await
    }

    /// Does nothing, because Windows cannot ask a program to end.
    pub(crate) fn terminate(&mut self) -> bool {
        false
    }

    /// Kills all processes of the job.
    pub(crate) fn kill(&mut self) {
        // The call fails if no process of the job is left.
        let _ = self.child.start_kill();
    }

    /// Always false: the system does not tell.
    pub(crate) fn has_others(&self) -> bool {
        false
    }

    /// Always false: signals are not passed on.
    pub(crate) fn is_program_ending(&self) -> bool {
        false
    }

    /// Does nothing: the system has nothing to reap.
    pub(crate) async fn reap(self) {}
}

/// If the program is a script, returns the command with the script's path as its program. The system by itself only
/// finds `.exe` files. The rest of the command stays, except for creation flags and a cleared environment.
fn named(command: Command) -> Command {
    let standard = command.as_std();
    let variable = |name: &str| {
        let own = standard.get_envs().find(|(key, _)| key.eq_ignore_ascii_case(name));
        own.map_or_else(|| env::var_os(name), |(_, value)| value.map(ToOwned::to_owned))
    };
    let folders: Vec<PathBuf> = variable("PATH").iter().flat_map(env::split_paths).collect();
    let extensions = variable("PATHEXT").unwrap_or_else(|| OsString::from(".COM;.EXE;.BAT;.CMD"));
    let found = search::program(standard.get_program(), &folders, &extensions.to_string_lossy(), |path| path.is_file());
    let Some(found) = found.filter(|found| search::is_script(found)) else { return command };
    let mut named = Relaunch::of(standard);
    named.program = found.into();
    let mut command = named.command(&[], &Default::default());
    super::pipe(&mut command);
    command.into()
}
