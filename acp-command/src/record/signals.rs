//! Signals to `acp record` reach the agent, which has no other reason to end.

#[cfg(not(unix))]
pub(super) use self::other::{Signals, pass_on};
#[cfg(unix)]
pub(super) use self::unix::{Signals, pass_on};

#[cfg(unix)]
mod unix {
    use std::io;

    use rustix::process::{Pid, Signal, kill_process};
    use tokio::signal::unix::{Signal as Heard, SignalKind, signal};

    /// The signals that end programs.
    pub(in crate::record) struct Signals {
        interrupt: Heard,
        terminate: Heard,
        hang_up: Heard,
    }

    impl Signals {
        pub(in crate::record) fn new() -> io::Result<Self> {
            let [interrupt, terminate, hang_up] =
                [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
            Ok(Self { interrupt: interrupt?, terminate: terminate?, hang_up: hang_up? })
        }

        pub(in crate::record) async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.interrupt.recv() => Signal::INT,
                _ = self.terminate.recv() => Signal::TERM,
                _ = self.hang_up.recv() => Signal::HUP,
            }
        }
    }

    /// Sends the signal to the agent, if it was not reaped yet.
    pub(in crate::record) fn pass_on(id: Option<u32>, signal: Signal) {
        let id = id.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(id) = id {
            // It may have ended just now.
            let _ = kill_process(id, signal);
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::{future::pending, io};

    /// Console events reach the agent by themselves.
    pub(in crate::record) struct Signals;

    impl Signals {
        pub(in crate::record) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        pub(in crate::record) async fn next(&mut self) {
            pending::<()>().await;
        }
    }

    pub(in crate::record) fn pass_on(_: Option<u32>, (): ()) {}
}
