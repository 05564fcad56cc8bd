//! The holder of a session, and whether its process is gone.

use std::{fmt, sync::OnceLock};

use serde::{Deserialize, Serialize};

use super::process;

/// A holder of sessions: one agent in one process. Keep it as long as the agent lives, because a claim of the same
/// owner is never refused.
///
/// ```
/// use acp_store::{Owner, Sharing};
///
/// let owner = Owner::new();
/// assert!(!owner.is_gone(Sharing::OneMachine), "this process lives");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// The name of the machine, for people.
    host: String,
    /// The machine, since its start. Unknown except on Linux.
    boot: Option<String>,
    /// The namespace in which the process has its number. Unknown except on Linux.
    pids: Option<String>,
    pid: u32,
    /// The time of the process's start, in the clock ticks of the machine. With it, a number that was given again is
    /// another process. Unknown except on Linux.
    started: Option<u64>,
    /// The agent in the process.
    holder: String,
}

/// Which processes share a store. This decides whether the end of one can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sharing {
    /// All on one machine, under one kernel. So a process of an earlier start of the machine is gone.
    OneMachine,
    /// On several machines. Only the time of a lease tells whether a process on another machine is gone.
    Machines,
}

impl Owner {
    /// A new owner in this process.
    pub fn new() -> Self {
        static HERE: OnceLock<Owner> = OnceLock::new();
        let here = HERE.get_or_init(|| {
            let pid = std::process::id();
            Self {
                host: process::host(),
                boot: process::boot(),
                pids: process::namespace(),
                pid,
                started: process::started(pid),
                holder: String::new(),
            }
        });
        Self { holder: uuid::Uuid::now_v7().simple().to_string(), ..here.clone() }
    }

    /// The number of the process, on its own machine.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The name of the machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether it is certain that the process is gone. `false` if the process lives, or if nobody here can know.
    ///
    /// On Linux, this is certain for each process of this machine, unless it has its number in another namespace (a
    /// container), or `/proc` is not there. On other Unix systems it is certain if all processes are on one machine,
    /// and no living process has got the number again. Elsewhere nothing is certain.
    pub fn is_gone(&self, sharing: Sharing) -> bool {
        let here = Self::new();
        match (&self.boot, &here.boot) {
            (Some(its), Some(ours)) if its != ours => return sharing == Sharing::OneMachine,
            (Some(_), Some(_)) => {}
            _ if sharing == Sharing::Machines => return false,
            _ => {}
        }
        self.pids == here.pids && process::is_gone(self.pid, self.started)
    }

    /// Whether it is certain that the process lives. `false` if it is gone, or if nobody here can know: of a process on another
    /// machine or in another container, and except on Linux.
    pub fn is_alive(&self) -> bool {
        let here = Self::new();
        let is_near = self.boot.is_some() && self.boot == here.boot && self.pids.is_some() && self.pids == here.pids;
        is_near && process::is_alive(self.pid, self.started)
    }

    /// A process on another machine.
    #[cfg(test)]
    pub(crate) fn elsewhere() -> Self {
        Self { boot: Some("another".to_owned()), ..Self::new() }
    }

    /// The same process number, given to another process: this owner is gone. `None` where this cannot be known.
    #[cfg(test)]
    fn gone() -> Option<Self> {
        let here = Self::new();
        here.boot.as_ref()?;
        let started = here.started? + 1;
        Some(Self { started: Some(started), ..here })
    }
}

impl Default for Owner {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on `{}`", self.pid, self.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_owner_is_another() {
        assert_ne!(Owner::new(), Owner::new());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_has_ended_is_gone_before_it_is_reaped() {
        let mut child = std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let started = process::started(child.id());
        let owner = Owner { pid: child.id(), started, ..Owner::new() };
        assert!(started.is_some());
        assert!(!owner.is_gone(Sharing::Machines) && !owner.is_gone(Sharing::OneMachine) && owner.is_alive());
        drop(child.stdin.take());
        // Nobody has asked for its end yet: the system still knows the number.
        let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while !owner.is_gone(Sharing::Machines) && std::time::Instant::now() < end {
            std::thread::yield_now();
        }
        assert!(owner.is_gone(Sharing::Machines) && !owner.is_alive(), "it has ended");
        child.wait().unwrap();
        assert!(owner.is_gone(Sharing::Machines), "and is reaped");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_killed_process_is_gone_once_its_pipes_are_closed() {
        use std::io::Read as _;

        for _ in 0..100 {
            let mut cat = std::process::Command::new("cat");
            let mut child =
                cat.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
            let owner = Owner { pid: child.id(), started: process::started(child.id()), ..Owner::new() };
            child.kill().unwrap();
            // Another process notices the end by this. The system may not have ended the process yet.
            child.stdout.take().unwrap().read_to_end(&mut Vec::new()).unwrap();
            let is_gone = owner.is_gone(Sharing::Machines);
            child.wait().unwrap();
            assert!(is_gone);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_number_that_was_given_again_is_another_process() {
        let gone = Owner::gone().expect("on Linux this is known");
        assert!(gone.is_gone(Sharing::Machines) && gone.is_gone(Sharing::OneMachine) && !gone.is_alive());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn nobody_knows_of_another_machine_or_namespace() {
        let gone = Owner::gone().expect("on Linux this is known");
        let elsewhere = Owner { boot: Some("another".to_owned()), ..gone.clone() };
        assert!(!elsewhere.is_gone(Sharing::Machines), "perhaps it lives there");
        assert!(elsewhere.is_gone(Sharing::OneMachine), "the machine has started again since");
        let contained = Owner { pids: Some("pid:[1]".to_owned()), ..gone.clone() };
        assert!(!contained.is_gone(Sharing::OneMachine), "its number means nothing here");
        let unknown = Owner { boot: None, ..gone };
        assert!(!unknown.is_gone(Sharing::Machines));
        let here = Owner::new();
        for boot in [None, Some("another".to_owned())] {
            assert!(here.is_alive() && !Owner { boot, ..here.clone() }.is_alive());
        }
    }
}
