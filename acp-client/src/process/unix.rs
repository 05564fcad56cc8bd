//! Processes of Unix: a group, signals to all of it, and an end that is seen before it is reaped.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::{
    process::{Child, Command},
    signal::unix::{SignalKind, signal},
};

/// A process group of its own, so that a signal reaches all that the agent has started.
pub(super) fn prepare(command: &mut Command) {
    command.process_group(0);
}

/// The group of a process that leads it. Dropped before the leader is reaped, it is killed.
pub(super) struct Group {
    leader: Pid,
    is_reaped: AtomicBool,
}

impl Group {
    pub(super) fn of(leader: &Child) -> Option<Self> {
        let leader = Pid::from_raw(i32::try_from(leader.id()?).ok()?)?;
        Some(Self { leader, is_reaped: AtomicBool::new(false) })
    }

    /// Waits until the leader has exited. It is not reaped.
    pub(super) async fn leader_exited(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // Made before the look: it hears of what happens in between.
        let mut ended = signal(SignalKind::child()).ok();
        while let Ok(None) = waitid(WaitId::Pid(self.leader), options) {
            match &mut ended {
                Some(ended) => drop(ended.recv().await),
                None => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    pub(super) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    pub(super) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        // Nobody of it may be left.
        let _ = kill_process_group(self.leader, signal);
    }

    /// Whether the group has members beside its leader, which has exited and is not reaped.
    pub(super) fn has_others(&self) -> bool {
        let Ok(processes) = std::fs::read_dir("/proc") else { return false };
        let leader = self.leader.as_raw_nonzero().to_string();
        processes.flatten().any(|process| {
            let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { return false };
            // pid (name) state parent group ..; the name may hold anything.
            let Some((head, rest)) = stat.rsplit_once(')') else { return false };
            let mut rest = rest.split_whitespace();
            let (state, group) = (rest.next(), rest.nth(1));
            group == Some(&leader) && state != Some("Z") && head.split(' ').next() != Some(&leader)
        })
    }

    /// The leader's number may be another's from here on.
    pub(super) fn is_reaped(&self) {
        self.is_reaped.store(true, Ordering::Relaxed);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The runtime ends: nobody is left to wait.
        if !self.is_reaped.load(Ordering::Relaxed) {
            self.kill();
        }
    }
}
