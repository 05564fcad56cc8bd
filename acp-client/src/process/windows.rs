//! Processes of Windows: a job that contains all processes of an agent, and the shells' rules for program names.
//!
//! Windows cannot ask a program without windows or console to end. So an agent that goes on when its input is closed is killed.
//! Console events reach the agent as they reach the client.

use std::{env, ffi::OsString, io, path::PathBuf, process::ExitStatus, time::Duration};

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use tokio::process::Command;

use super::{Pipes, Relaunch, Signals, search};

/// An agent's process, and its job. The drop kills the whole job, and so does the end of the client.
pub(crate) struct Leader {
    child: Box<dyn ChildWrapper>,
}

impl Leader {
    /// Starts a program in a job of its own; the program runs after it is in the job.
    pub(crate) fn spawn(command: Command, _: Signals, _: Duration) -> io::Result<Self> {
        let mut command = CommandWrap::from(named(command));
        // In this order: first the job learns that it ends with its handle.
        let child = command.wrap(KillOnDrop).wrap(JobObject).spawn()?;
        Ok(Self { child })
    }

    pub(crate) fn pipes(&mut self) -> Option<Pipes> {
        Some((self.child.stdin().take()?, self.child.stdout().take()?, self.child.stderr().take()?))
    }

    /// Waits until the program itself has exited.
    pub(crate) async fn exited(&mut self) -> io::Result<ExitStatus> {
        // The job's own end would wait for all its processes.
        self.child.inner_mut().wait().await
    }

    /// Does nothing: see above.
    pub(crate) fn terminate(&mut self) -> bool {
        false
    }

    /// Kills all of the job.
    pub(crate) fn kill(&mut self) {
        // Nobody of it may be left.
        let _ = self.child.start_kill();
    }

    /// Not known.
    pub(crate) fn has_others(&self) -> bool {
        false
    }

    /// Not known.
    pub(crate) fn is_program_ending(&self) -> bool {
        false
    }

    /// Nothing is left to do.
    pub(crate) async fn reap(self) {}
}

/// The command with the program for its name, if this is a script: the system itself only finds `.exe`. The rest of the command
/// stays, except for creation flags and a cleared environment.
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
