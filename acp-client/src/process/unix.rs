//! Processes of Unix: a process group, signals to the whole group, and the exit of a process before it is reaped.

use std::{
    io,
    os::unix::process::ExitStatusExt as _,
    process::ExitStatus,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::{
    process::{Child, Command},
    signal::unix::{SignalKind, signal},
};

use super::{
    Kind, Pipes, Signals, signals,
    watchdog::{self, Learns},
};

/// An agent's process, and the group that it leads.
pub(crate) struct Leader {
    // This field stands before `child`, so it is dropped first. Then the group is killed while the leader still has its
    // number.
    group: Arc<Group>,
    child: Child,
}

impl Leader {
    /// Starts a program as the leader of a group of its own. So a signal reaches all processes that the program starts.
    pub(crate) fn spawn(mut command: Command, kind: Kind, grace: Duration) -> io::Result<Self> {
        let learns = match kind {
            Kind::Agent(_) => Learns::ByInput,
            Kind::Command => Learns::FromWatchdog,
        };
        watchdog::ready();
        let mut start = || {
            let child = command.process_group(0).kill_on_drop(true).spawn()?;
            let leader = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
            let leader = leader.ok_or_else(|| io::Error::other("it has no number"))?;
            watchdog::watch(leader, learns);
            Ok((Arc::new(Group { leader, is_reaped: Mutex::new(false) }), child))
        };
        let (group, child) = match kind {
            Kind::Agent(Signals::Forward) => {
                signals::hear();
                signals::join(grace, start)?
            }
            Kind::Agent(Signals::Leave) => start()?,
            Kind::Command => signals::join(grace, start)?,
        };
        Ok(Self { group, child })
    }

    pub(crate) fn pipes(&mut self) -> Option<Pipes> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Waits until the leader has exited. The leader is not reaped.
    pub(crate) async fn exited(&mut self) -> io::Result<ExitStatus> {
        // Registered before the check: so an exit between the check and the wait is not lost.
        let mut ended = signal(SignalKind::child()).ok();
        loop {
            if let Some(status) = self.group.exit()? {
                return Ok(status);
            }
            match &mut ended {
                Some(ended) => drop(ended.recv().await),
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Tells all processes of the group to end.
    pub(crate) fn terminate(&mut self) -> bool {
        self.group.signal(Signal::TERM);
        true
    }

    /// Kills all processes of the group.
    pub(crate) fn kill(&mut self) {
        self.group.signal(Signal::KILL);
    }

    /// Whether the group has members beside its leader. Call this when the leader has exited and is not reaped. Always
    /// false where the system does not tell.
    pub(crate) fn has_others(&self) -> bool {
        let Ok(processes) = std::fs::read_dir("/proc") else { return false };
        let leader = self.group.leader.as_raw_nonzero().to_string();
        processes.flatten().any(|process| {
            let name = process.file_name();
            let is_process = name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit);
            if !is_process || *name == *leader {
                return false;
            }
            let Ok(stat) = std::fs::read(process.path().join("stat")) else { return false };
            // The form is: pid (name) state parent group ... The name may contain any bytes, also bytes that are not
            // UTF-8.
            let stat = String::from_utf8_lossy(&stat);
            let Some((_, rest)) = stat.rsplit_once(')') else { return false };
            let mut rest = rest.split_whitespace();
            let (state, group) = (rest.next(), rest.nth(1));
            group == Some(&leader) && !matches!(state, Some("Z" | "X"))
        })
    }

    /// Whether this program is about to end by a signal that its agents also got.
    pub(crate) fn is_program_ending(&self) -> bool {
        signals::is_ending()
    }

    /// Gives the number of the exited leader back to the system.
    pub(crate) async fn reap(mut self) {
        // From here on, another process may get the leader's number.
        self.group.retire();
        // The exit status is known already.
        let _ = self.child.wait().await;
    }
}

/// The group of a process that leads it. If it is dropped before the leader is reaped, the group is killed.
pub(super) struct Group {
    leader: Pid,
    is_reaped: Mutex<bool>,
}

impl Group {
    /// The exit of the leader; `None` while the leader is running.
    ///
    /// # Errors
    ///
    /// The exit is not known, because another part of the program has reaped the leader, or will.
    pub(super) fn exit(&self) -> io::Result<Option<ExitStatus>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(status) = waitid(WaitId::Pid(self.leader), options)? else { return Ok(None) };
        // The form of `wait`: the exit code in the second byte, or the signal in the first.
        let raw = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => (code & 0xff) << 8,
            (None, Some(signal)) => signal | if status.dumped() { 0x80 } else { 0 },
            (None, None) => return Ok(None),
        };
        Ok(Some(ExitStatus::from_raw(raw)))
    }

    pub(super) fn signal(&self, signal: Signal) {
        let is_reaped = self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_reaped {
            // The call fails if no process of the group is left.
            let _ = kill_process_group(self.leader, signal);
        }
    }

    /// Stops all later signals, because the leader's number may belong to another process.
    fn retire(&self) {
        let was_reaped = std::mem::replace(&mut *self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner), true);
        if !was_reaped {
            watchdog::forget(self.leader);
        }
    }

    /// Whether the leader has ended, so that no caller needs to wait for the group.
    pub(super) fn is_over(&self) -> bool {
        *self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner) || !matches!(self.exit(), Ok(None))
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // The leader is not reaped, so the runtime has ended. No task is left to wait for the leader.
        self.group.signal(Signal::KILL);
        self.group.retire();
    }
}
