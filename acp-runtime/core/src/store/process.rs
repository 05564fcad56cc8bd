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
    status(pid).map(|(_, started)| started)
}

/// The state of a process, and when it started. `None` if the process is not there, or if `/proc` is not that of this
/// namespace.
#[cfg(target_os = "linux")]
fn status(pid: u32) -> Option<(char, u64)> {
    if fs::read_link("/proc/self").ok()?.to_str() != Some(std::process::id().to_string().as_str()) {
        return None;
    }
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program stands in parentheses, and may have any sign in it. The state is the third field, the
    // time of the start the 22nd.
    let mut fields = line.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(18)?.parse().ok()?))
}

#[cfg(not(target_os = "linux"))]
fn status(_: u32) -> Option<(char, u64)> {
    None
}

/// Whether the process is certainly gone: its number is free, or belongs to a process that started at another time, or
/// it has ended and waits to be reaped.
#[cfg(unix)]
pub(super) fn is_gone(pid: u32, its_start: Option<u64>) -> bool {
    use rustix::{io::Errno, process};

    let Some(id) = i32::try_from(pid).ok().and_then(process::Pid::from_raw) else { return false };
    // A signal that is not allowed (`PERM`) is one to a process that is there.
    if process::test_kill_process(id) == Err(Errno::SRCH) {
        return true;
    }
    match (status(pid), its_start) {
        (Some(('Z' | 'X', _)), _) => true,
        (Some((_, started)), Some(its_start)) => started != its_start,
        _ => false,
    }
}

#[cfg(not(unix))]
pub(super) fn is_gone(_: u32, _: Option<u64>) -> bool {
    false
}
