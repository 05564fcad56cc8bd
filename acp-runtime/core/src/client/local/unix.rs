//! Processes of Unix: a command and all that it starts are a process group, which ends with the agent.
//!
//! The leader of the group is no part of the command: it is a shell that waits for the end of its input. Only the agent holds
//! the other end, so the input ends with the agent, even if the agent is killed. Then the shell kills its group. As long as the
//! shell is not reaped, no other group gets its number. So a kill meets the right processes, also after the command has ended.

use std::{
    io,
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::net::unix::pipe::Receiver;

/// A process group.
pub(super) struct Group {
    id: Pid,
    /// `None` once the group has ended.
    leader: Mutex<Option<Child>>,
}

impl Group {
    /// Starts a command in a group of its own.
    pub(super) fn start(command: &mut Command) -> io::Result<(Self, Child)> {
        let mut leader = Command::new("/bin/sh");
        leader.args(["-c", "read -r _; kill -KILL 0", "acp-command-group"]).current_dir("/").env_clear();
        leader.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let leader = leader.spawn().map_err(|error| {
            io::Error::new(error.kind(), format!("`/bin/sh`, which is to lead its processes, did not start: {error}"))
        })?;
        let number = i32::try_from(leader.id()).expect("the numbers of processes are `pid_t`s");
        let id = Pid::from_raw(number).expect("the number of a process is not 0");
        let group = Self { id, leader: Mutex::new(Some(leader)) };
        // If this fails, the drop of the group ends its leader.
        let child = command.process_group(number).spawn()?;
        Ok((group, child))
    }

    /// Kills all processes of the group.
    pub(super) fn kill(&self) {
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if leader.is_some() {
            // The call fails if no process of the group is left.
            let _ = kill_process_group(self.id, Signal::KILL);
        }
    }

    /// Kills all processes of the group, and gives its number back.
    pub(super) fn end(&self) {
        self.kill();
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut leader) = leader {
            // The leader is a shell that waits, so it ends at once.
            let _ = leader.wait();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}

/// The reading end of a command's output.
pub(super) struct Reader(Receiver);

impl Reader {
    pub(super) fn new(pipe: io::PipeReader) -> io::Result<Self> {
        Receiver::from_owned_fd(pipe.into()).map(Self)
    }

    /// Waits for bytes. Returns 0 at the end.
    pub(super) async fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            self.0.readable().await?;
            match self.0.try_read(into) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// The shell, and the arguments before its line.
pub(super) const SHELL: (&str, &[&str]) = ("sh", &["-c"]);
