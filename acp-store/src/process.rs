//! Facts of the system about a process: enough to know that it is gone, or that nobody can know.

#[cfg(target_os = "linux")]
use std::fs;

/// The name of this machine, for people.
pub(super) fn host() -> String {
    #[cfg(target_os = "linux")]
    if let Ok(name) = fs::read_to_string("/proc/sys/kernel/hostname") {
        return name.trim().to_owned();
    }
    ["HOSTNAME", "COMPUTERNAME"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok())
        .unwrap_or_else(|| "this machine".to_owned())
}

/// The id of this machine since its start.
pub(super) fn boot() -> Option<String> {
    #[cfg(target_os = "linux")]
    return fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|id| id.trim().to_owned());
    #[cfg(not(target_os = "linux"))]
    None
}

/// The namespace in which processes have their numbers here.
pub(super) fn namespace() -> Option<String> {
    #[cfg(target_os = "linux")]
    return fs::read_link("/proc/self/ns/pid").ok().map(|link| link.to_string_lossy().into_owned());
    #[cfg(not(target_os = "linux"))]
    None
}

/// When a process started, in ticks since the start of the machine.
pub(super) fn started(pid: u32) -> Option<u64> {
    status(pid).map(|status| status.started)
}

/// What the system says of a process.
struct Status {
    /// Whether it has ended, or the system is about to end it: it runs no code of its own any more.
    has_ended: bool,
    started: u64,
}

/// The status of a process. `None` if the process is not there, or if `/proc` is not that of this namespace.
#[cfg(target_os = "linux")]
fn status(pid: u32) -> Option<Status> {
    /// The flag of a process that the system ends (`PF_EXITING`). Its files may be closed already.
    const EXITING: u32 = 4;

    if fs::read_link("/proc/self").ok()?.to_str() != Some(std::process::id().to_string().as_str()) {
        return None;
    }
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses, and may have any sign in it. The state is the third field, the
    // flags are the 9th, and the time of the start is the 22nd.
    let mut fields = line.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?;
    let flags: u32 = fields.nth(5)?.parse().ok()?;
    let started = fields.nth(12)?.parse().ok()?;
    Some(Status { has_ended: matches!(state, "Z" | "X") || flags & EXITING != 0, started })
}

#[cfg(not(target_os = "linux"))]
fn status(_: u32) -> Option<Status> {
    None
}

/// Whether the process is certainly gone: its number is free, or belongs to a process that started at another time, or
/// it has ended and waits to be reaped, or the system ends it.
#[cfg(unix)]
pub(super) fn is_gone(pid: u32, its_start: Option<u64>) -> bool {
    use rustix::{io::Errno, process};

    let Some(id) = i32::try_from(pid).ok().and_then(process::Pid::from_raw) else { return false };
    // A signal that is not allowed (`PERM`) is one to a process that is there.
    if process::test_kill_process(id) == Err(Errno::SRCH) {
        return true;
    }
    status(pid).is_some_and(|status| status.has_ended || its_start.is_some_and(|start| start != status.started))
}

/// Whether the process certainly lives: it has its number, and the time of its start.
pub(super) fn is_alive(pid: u32, its_start: Option<u64>) -> bool {
    status(pid).is_some_and(|status| !status.has_ended && its_start == Some(status.started))
}

#[cfg(not(unix))]
pub(super) fn is_gone(_: u32, _: Option<u64>) -> bool {
    false
}
