//! How an agent is served: what an author may bound otherwise than by default.

use std::time::Duration;

use crate::transport::Limits;

/// How an agent is served. The defaults suit an agent that an editor starts on a developer's machine.
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
    /// What the connection may hold in memory; each bound says why it is what it is.
    pub limits: Limits,
    /// How long everything may take that follows the end of input: handlers that end, and what is still to be sent. The
    /// default is 700 ms, and an eighth more to send what handlers said last: an idle agent ends at once, a busy one
    /// within it, and the strictest known client terminates the process one second after it closed stdin. A handler
    /// that blocks its thread is not interrupted: the process waits for it.
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
