//! The processes that an agent has started: they are in its group.

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

    fn id(group: Option<u32>) -> Option<Pid> {
        Pid::from_raw(i32::try_from(group?).ok()?)
    }

    /// Asks the agent's process to end.
    pub(in crate::check) fn terminate(group: Option<u32>) {
        if let Some(id) = id(group) {
            // It may have ended just now.
            let _ = kill_process(id, Signal::TERM);
        }
    }

    /// Ends all processes of the group.
    pub(crate) fn kill(group: Option<u32>) {
        if let Some(id) = id(group) {
            let _ = kill_process_group(id, Signal::KILL);
        }
    }

    /// The names of the processes of the group that run, without those that only wait to be reaped.
    pub(in crate::check) fn left(group: Option<u32>) -> Vec<String> {
        let Some(id) = id(group) else { return Vec::new() };
        if test_kill_process_group(id).is_err() {
            return Vec::new();
        }
        let Ok(processes) = std::fs::read_dir("/proc") else { return vec!["a process".to_owned()] };
        let stats = processes.flatten().filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
        stats.filter_map(|stat| member(&stat, id.as_raw_nonzero().get())).collect()
    }

    /// The name in a line of `/proc/PID/stat`, if the process is in the group and runs.
    fn member(stat: &str, group: i32) -> Option<String> {
        let (head, rest) = stat.rsplit_once(')')?;
        let name = head.split_once('(')?.1;
        let mut words = rest.split_whitespace();
        let (state, of) = (words.next()?, words.nth(1)?);
        (!matches!(state, "Z" | "X") && of.parse() == Ok(group)).then(|| name.to_owned())
    }

    #[test]
    fn a_process_is_a_member_by_its_group_and_while_it_runs() {
        assert_eq!(member("7 (a (b) c) S 1 42 42 0", 42).as_deref(), Some("a (b) c"));
        assert_eq!(member("7 (sleep) Z 1 42 42 0", 42), None);
        assert_eq!(member("7 (sleep) S 42 7 42 0", 42), None);
    }
}

#[cfg(not(unix))]
mod other {
    pub(in crate::check) fn terminate(_: Option<u32>) {}

    pub(crate) fn kill(_: Option<u32>) {}

    pub(in crate::check) fn left(_: Option<u32>) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(not(unix))]
pub(crate) use self::other::kill;
#[cfg(not(unix))]
pub(super) use self::other::{left, terminate};
#[cfg(unix)]
pub(crate) use self::unix::kill;
#[cfg(unix)]
pub(super) use self::unix::{left, terminate};
