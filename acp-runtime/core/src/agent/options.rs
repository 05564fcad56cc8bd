//! The options of serving an agent: the bounds that an author may change.

use std::time::Duration;

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
    /// The bounds on the connection's memory; the docs of each bound say why it has its value.
    pub limits: Limits,
    /// The time for everything that follows the end of input: running handlers end, and unsent messages are sent. The
    /// default is 700 ms, and an eighth more to send the handlers' last messages. An idle agent ends at once, a busy
    /// agent within this time. The strictest known client terminates the process one second after it closed stdin. The
    /// runtime does not interrupt a handler that blocks its thread: the process waits for this handler.
    pub shutdown_timeout: Duration,
}

impl ServeOptions {
    /// The defaults.
    pub const fn new() -> Self {
        Self { limits: Limits::new(), shutdown_timeout: Duration::from_millis(700) }
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
