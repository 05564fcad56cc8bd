//! The exit of a command in the protocol's form, for the two that run commands: an agent itself, and a client.

use std::process::ExitStatus;

use acp_schema::v1::TerminalExitStatus;

/// A code, or the name of the signal that ended the process.
pub fn exit_status(status: ExitStatus) -> TerminalExitStatus {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return TerminalExitStatus::new().signal(name(signal));
        }
    }
    TerminalExitStatus::new().exit_code(status.code().map(i32::cast_unsigned))
}

#[cfg(unix)]
fn name(signal: i32) -> String {
    use rustix::process::Signal;
    const NAMES: [(Signal, &str); 20] = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::VTALARM, "SIGVTALRM"),
        (Signal::PROF, "SIGPROF"),
        (Signal::SYS, "SIGSYS"),
    ];
    let known = NAMES.iter().find(|(known, _)| known.as_raw() == signal);
    known.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn a_signal_is_told_by_its_name_and_others_by_their_number() {
        for (signal, told) in [(15, "SIGTERM"), (9, "SIGKILL"), (64, "signal 64")] {
            assert_eq!(exit_status(ExitStatus::from_raw(signal)), TerminalExitStatus::new().signal(told.to_owned()));
        }
        assert_eq!(exit_status(ExitStatus::from_raw(3 << 8)), TerminalExitStatus::new().exit_code(3));
    }
}
