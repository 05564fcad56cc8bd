//! How much a connection may hold.

/// Bounds on what one connection holds. The defaults suit an agent on a developer's machine.
///
/// Over a transport with [several streams](crate::transport::OutboxStream), both bounds of what is unsent hold for each stream
/// by itself: a common one would be filled by those that nobody reads, and all would wait for them. So the connection holds
/// as much as its streams together, and how many there are is up to the transport. The soft bound is where the turns of an
/// unread stream stop, and the hard one where requests and handlers do whose answers go there. The few messages that wait
/// for nothing (a changed option is told at once, as is a withdrawn request) may add as much as the hard bound once more;
/// then the stream is closed.
///
/// ```
/// use acp_runtime::transport::Limits;
///
/// let limits = Limits::new().line_bytes(8 * 1024 * 1024);
/// assert_eq!(limits.unsent_soft_bytes, 256 * 1024);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest message that is read, in bytes: 64 MiB. Images and files travel within messages, as base64, so that
    /// a small bound refuses what users do. A longer one is answered with an error, and its rest is dropped unread.
    pub line_bytes: usize,
    /// Above so many unsent bytes, turns wait before they send more: 256 KiB. Enough that a turn does not stop at each
    /// pause of the client, and little enough that what another session sends is not long behind a hard stream.
    pub unsent_soft_bytes: usize,
    /// Above so many unsent bytes, nothing more is read, and handlers at work wait before they go on: 4 MiB. Answers do
    /// not wait at the soft bound, so that requests and cancellations are served while a client reads slowly; this bounds
    /// them, and has to hold many large answers. Unsent is at most this and, of each thread, the one message that was
    /// written when there was still room, however long that is. What a handler holds while it waits, an answer that is
    /// already made for example, is its own. At least the soft bound.
    pub unsent_hard_bytes: usize,
    /// So many handlers are at work at once: 16,384. Further requests are refused until one ends; each takes a kilobyte,
    /// its params and what it makes, and all of them are to end soon when the client hangs up. Reading goes on, since what the
    /// handlers wait for may be an answer or a cancellation.
    pub concurrent_handlers: usize,
}

impl Limits {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            line_bytes: 64 * 1024 * 1024,
            unsent_soft_bytes: 256 * 1024,
            unsent_hard_bytes: 4 * 1024 * 1024,
            concurrent_handlers: 16 * 1024,
        }
    }

    /// Sets [`Self::line_bytes`](field@Self::line_bytes).
    #[must_use]
    pub const fn line_bytes(mut self, bytes: usize) -> Self {
        self.line_bytes = bytes;
        self
    }

    /// Sets [`Self::unsent_soft_bytes`](field@Self::unsent_soft_bytes).
    #[must_use]
    pub const fn unsent_soft_bytes(mut self, bytes: usize) -> Self {
        self.unsent_soft_bytes = bytes;
        self
    }

    /// Sets [`Self::unsent_hard_bytes`](field@Self::unsent_hard_bytes).
    #[must_use]
    pub const fn unsent_hard_bytes(mut self, bytes: usize) -> Self {
        self.unsent_hard_bytes = bytes;
        self
    }

    /// Sets [`Self::concurrent_handlers`](field@Self::concurrent_handlers).
    #[must_use]
    pub const fn concurrent_handlers(mut self, count: usize) -> Self {
        self.concurrent_handlers = count;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
