//! Ends the process groups of this program when the program itself can do nothing more: after `SIGKILL`, a crash, or
//! `std::process::exit`.
//!
//! The watchdog is one shell, which reads the numbers of the groups from a pipe. The system closes the pipe at the end of
//! this program. Then the shell ends the remaining groups in the usual steps. A parent-death signal would need `unsafe`,
//! and would not reach the processes that an agent has started.

use std::{
    io::{Result, Write as _},
    os::unix::process::CommandExt as _,
    process::{ChildStdin, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use rustix::process::Pid;

/// `None` until the first group. The inner `None` is a watchdog that could not be started, or has ended.
static WATCHDOG: Mutex<Option<Option<ChildStdin>>> = Mutex::new(None);

/// The way by which a group learns of the end of this program.
#[derive(Clone, Copy)]
pub(super) enum Learns {
    /// From the end of its input.
    ByInput,
    /// Only from the watchdog.
    FromWatchdog,
}

/// Starts the watchdog. Call this before a group starts, because the start of a process takes some time.
pub(super) fn ready() {
    watchdog(|_| Ok(()));
}

/// Watches a group.
pub(super) fn watch(group: Pid, learns: Learns) {
    let change = match learns {
        Learns::ByInput => '+',
        Learns::FromWatchdog => '=',
    };
    watchdog(|input| input.write_all(format!("{change}{}\n", group.as_raw_nonzero()).as_bytes()));
}

/// Forgets a group. Call this before the group's number can belong to other processes.
pub(super) fn forget(group: Pid) {
    watchdog(|input| input.write_all(format!("-{}\n", group.as_raw_nonzero()).as_bytes()));
}

fn watchdog(tell: impl FnOnce(&mut ChildStdin) -> Result<()>) {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    let input = watchdog.get_or_insert_with(|| {
        let started = start();
        if let Err(error) = &started {
            tracing::warn!(%error, "if this program is killed, its agents and commands may go on");
        }
        started.ok()
    });
    if let Some(Err(error)) = input.as_mut().map(tell) {
        tracing::warn!(%error, "the watchdog has ended: if this program is killed, its agents and commands may go on");
        *input = None;
    }
}

fn start() -> Result<ChildStdin> {
    let mut shell = Command::new("/bin/sh");
    // A list of processes shows the arguments, so the script is not one of them.
    shell.args(["-c", "eval \"$ACP_CLIENT_WATCHDOG\"", "acp-client-watchdog"]).current_dir("/");
    shell.env("ACP_CLIENT_WATCHDOG", include_str!("watchdog.sh"));
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C and a kill of the program's group must not reach it.
    shell.process_group(0);
    let input = shell.spawn()?.stdin.take();
    Ok(input.expect("its input is piped"))
}
