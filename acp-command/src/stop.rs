//! What ends a command before its agent does: Ctrl-C, a request to end, a time limit.

use std::{future::pending, io, time::Duration};

use tokio::time::{Instant, sleep_until};

use crate::exit::{Exit, Failure};

/// Why a command ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Interrupted,
    TimedOut,
}

impl Why {
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Interrupted => Exit::Cancelled,
            Self::TimedOut => Exit::TimedOut,
        }
    }
}

/// The listener for all of these.
pub(crate) struct Stop {
    signals: Signals,
    limit: Option<Duration>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Listens from here on. The time begins.
    pub(crate) fn new(limit: Option<Duration>) -> io::Result<Self> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        Ok(Self { signals: Signals::new()?, limit, deadline })
    }

    /// Waits for the next reason. The time limit comes once.
    pub(crate) async fn next(&mut self) -> Why {
        let Self { signals, deadline, .. } = self;
        let at = *deadline;
        let limit = async move {
            match at {
                Some(at) => sleep_until(at).await,
                None => pending().await,
            }
        };
        let why = tokio::select! {
            () = signals.next() => Why::Interrupted,
            () = limit => Why::TimedOut,
        };
        if why == Why::TimedOut {
            self.deadline = None;
        }
        why
    }

    /// Waits for work before the turn. Its drop ends the agent.
    pub(crate) async fn unless<T>(&mut self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::select! {
            done = work => done,
            why = self.next() => Err(self.failure(why, "before the turn began")),
        }
    }

    pub(crate) fn failure(&self, why: Why, when: &str) -> Failure {
        let text = match (why, self.limit) {
            (Why::TimedOut, Some(limit)) => format!("the time of `--timeout`, {limit:?}, was over {when}"),
            _ => format!("interrupted {when}"),
        };
        Failure::new(why.exit(), text)
    }
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            pending::<()>().await;
        }
    }
}
