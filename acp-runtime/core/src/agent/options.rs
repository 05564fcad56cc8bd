//! The options for serving an agent: bounds that an author may change.

use std::{ops::RangeInclusive, time::Duration};

use crate::transport::Limits;

/// The bounds for serving an agent. The defaults suit an agent that an editor starts on a developer's machine.
///
/// ```
/// use std::time::Duration;
///
/// use acp_runtime::{agent::ServeOptions, transport::Limits};
///
/// let options = ServeOptions::new()
///     .limits(Limits::new().line_bytes(8 * 1024 * 1024))
///     .shutdown_timeout(Duration::from_millis(500));
/// assert_eq!(options.limits.line_bytes, 8 * 1024 * 1024);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServeOptions {
    /// The bounds on the connection's memory. The docs of each bound give the reason for its value.
    pub limits: Limits,
    /// The time after the end of input, for running handlers to end, for `session_ended` to run in the sessions that end with
    /// the connection (in a [`Host`](super::Host), sessions may stay), and for unsent messages to leave. The default is
    /// 700 ms, and an eighth more to send the handlers' last messages. An idle agent ends at once. The default is this
    /// short because the strictest known client terminates the process one second after it closed stdin. If a handler
    /// blocks its thread, the runtime cannot interrupt it, and the process waits for it. The same goes for work that
    /// [`Turn::blocking`](crate::session::Turn::blocking) or `tokio::task::spawn_blocking` has begun: the agent is served to its
    /// end in time, but tokio's runtime waits for the work when it is dropped, with `#[tokio::main]` at the end of `main`.
    /// `std::process::exit` behind `serve` does not wait.
    pub shutdown_timeout: Duration,
    /// How long a session of a [`Host`](super::Host) stays in memory that has no client any more: 10 minutes. Then it ends as if its client
    /// had hung up, and a load or a resume brings it back. It is for agents whose sessions can be opened again; other agents end the
    /// sessions of a client with its connection.
    pub unfollowed_timeout: Duration,
    /// The versions of the protocol that are served: by default all that are compiled. Version 2 comes with the feature `v2`.
    pub versions: RangeInclusive<u16>,
    /// How long a call that opens a session waits for another process which has the session (`store = ..`): the call asks that
    /// process to give it up, which it does as soon as the session is idle, within a few seconds. Then the call is refused. The default
    /// is 20 s, a little more than the 15 s after which the idle session of a process is free that knows of no wishes. With zero, the
    /// call is refused at once, and asks for nothing.
    pub hand_over_timeout: Duration,
}

impl ServeOptions {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            limits: Limits::new(),
            shutdown_timeout: Duration::from_millis(700),
            unfollowed_timeout: Duration::from_secs(600),
            versions: 1..=u16::MAX,
            hand_over_timeout: Duration::from_secs(20),
        }
    }

    /// Sets [`Self::limits`](field@Self::limits).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`Self::shutdown_timeout`](field@Self::shutdown_timeout).
    #[must_use]
    pub const fn shutdown_timeout(mut self, shutdown_timeout: Duration) -> Self {
        self.shutdown_timeout = shutdown_timeout;
        self
    }

    /// Sets [`Self::unfollowed_timeout`](field@Self::unfollowed_timeout).
    #[must_use]
    pub const fn unfollowed_timeout(mut self, timeout: Duration) -> Self {
        self.unfollowed_timeout = timeout;
        self
    }

    /// Sets [`Self::versions`](field@Self::versions). Serving fails if none of them is compiled.
    ///
    /// ```
    /// use acp_runtime::agent::ServeOptions;
    ///
    /// let options = ServeOptions::new().versions(1..=1);
    /// assert!(!options.versions.contains(&2));
    /// ```
    #[must_use]
    pub const fn versions(mut self, versions: RangeInclusive<u16>) -> Self {
        self.versions = versions;
        self
    }
}

impl ServeOptions {
    /// Sets [`Self::hand_over_timeout`](field@Self::hand_over_timeout).
    #[must_use]
    pub const fn hand_over_timeout(mut self, hand_over_timeout: Duration) -> Self {
        self.hand_over_timeout = hand_over_timeout;
        self
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Limits> for ServeOptions {
    fn from(limits: Limits) -> Self {
        Self::new().limits(limits)
    }
}
