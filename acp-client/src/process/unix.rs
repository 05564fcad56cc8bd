//! Processes of Unix: a process group, signals to the whole group, and an end that is noticed before the process is
//! reaped.

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

use super::{Pipes, Signals, signals};

/// An agent's process, and the group that it leads.
pub(crate) struct Leader {
    // Before the child: dropped, the group is killed while the number of its leader is nobody else's.
    group: Arc<Group>,
    child: Child,
}

impl Leader {
    /// Starts a program as the leader of a group of its own, so that a signal reaches all that it starts.
    pub(crate) fn spawn(mut command: Command, signals: Signals, grace: Duration) -> io::Result<Self> {
        let mut start = || {
            let child = command.process_group(0).kill_on_drop(true).spawn()?;
            let leader = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
            let leader = leader.ok_or_else(|| io::Error::other("it has no number"))?;
            Ok((Arc::new(Group { leader, is_reaped: Mutex::new(false) }), child))
        };
        let (group, child) = match signals {
            Signals::Forward => signals::forward(grace, start)?,
            Signals::Leave => start()?,
        };
        Ok(Self { group, child })
    }

    pub(crate) fn pipes(&mut self) -> Option<Pipes> {
        Some((self.child.stdin.take()?, self.child.stdout.take()?, self.child.stderr.take()?))
    }

    /// Waits until the leader has exited. It is not reaped.
    pub(crate) async fn exited(&mut self) -> io::Result<ExitStatus> {
        // Made before the look: it hears of what happens in between.
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

    /// Tells all of the group to end.
    pub(crate) fn terminate(&mut self) -> bool {
        self.group.signal(Signal::TERM);
        true
    }

    /// Kills all of the group.
    pub(crate) fn kill(&mut self) {
        self.group.signal(Signal::KILL);
    }

    /// Whether the group has members beside its leader, which has exited and is not reaped. False where this cannot be known.
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
            // pid (name) state parent group ..; the name may hold anything, and need not be UTF-8.
            let stat = String::from_utf8_lossy(&stat);
            let Some((_, rest)) = stat.rsplit_once(')') else { return false };
            let mut rest = rest.split_whitespace();
            let (state, group) = (rest.next(), rest.nth(1));
            group == Some(&leader) && !matches!(state, Some("Z" | "X"))
        })
    }

    /// Whether this program is about to end by a signal that its agents have got.
    pub(crate) fn is_program_ending(&self) -> bool {
        signals::is_ending()
    }

    /// Gives the number of the leader, which has exited, back to the system.
    pub(crate) async fn reap(mut self) {
        // First: from here on its number may be another's.
        self.group.retire();
        // How it ended is known.
        let _ = self.child.wait().await;
    }
}

/// The group of a process that leads it. Dropped before the leader is reaped, it is killed.
pub(super) struct Group {
    leader: Pid,
    is_reaped: Mutex<bool>,
}

impl Group {
    /// How the leader has exited; `None` while it has not.
    ///
    /// # Errors
    ///
    /// It cannot be told: another part of the program has reaped it, or will.
    pub(super) fn exit(&self) -> io::Result<Option<ExitStatus>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Some(status) = waitid(WaitId::Pid(self.leader), options)? else { return Ok(None) };
        // As `wait` would tell it: the code in the second byte, or the signal in the first.
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
            // Nobody of it may be left.
            let _ = kill_process_group(self.leader, signal);
        }
    }

    /// No signal is sent from here on.
    fn retire(&self) {
        *self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    /// Whether there is nothing to wait for any more.
    pub(super) fn is_over(&self) -> bool {
        *self.is_reaped.lock().unwrap_or_else(PoisonError::into_inner) || !matches!(self.exit(), Ok(None))
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // Unless it is reaped, the runtime ends: nobody is left to wait.
        self.group.signal(Signal::KILL);
        self.group.retire();
    }
}
