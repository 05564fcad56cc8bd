//! The bounds on a connection's memory.

/// Bounds on the memory of one connection. The defaults suit an agent on a developer's machine.
///
/// Over a transport with [several streams](crate::transport::OutboxStream), each stream has both bounds on unsent bytes for
/// itself. A common bound would be filled by streams that nobody reads, and all other streams would wait for them. So the
/// connection holds as much as its streams together, and the transport decides how many streams there are. At the soft bound,
/// the turns of an unread stream stop. At the hard bound, requests and handlers stop whose answers go to this stream. A few
/// messages wait for nothing: a changed option and a withdrawn request are told at once. These messages may add as much as the
/// hard bound once more; then the stream is closed.
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
    /// The longest message that is read, in bytes: 64 MiB. Messages contain images and files as base64, so a small bound would
    /// refuse normal work of users. A longer message is answered with an error, and its rest is dropped unread.
    pub line_bytes: usize,
    /// If more bytes than this are unsent, turns wait before they send more: 256 KiB. With this much, a turn does not stop at
    /// each pause of the client, and another session's messages do not wait long behind a busy turn.
    pub unsent_soft_bytes: usize,
    /// If more bytes than this are unsent, nothing more is read, and running handlers wait before they go on: 4 MiB. Answers
    /// do not wait at the soft bound, so that requests and cancellations are served while a client reads slowly. This bound
    /// limits the answers, and must hold many large ones. The unsent bytes are at most this bound plus one message for each
    /// thread: the message that was written when there was still room, however long it is. The memory of a waiting handler,
    /// for example for a finished answer, is not counted. At least the soft bound.
    pub unsent_hard_bytes: usize,
    /// The number of handlers that run at once: 16,384. Further requests are refused until a handler ends. Each handler takes
    /// a kilobyte, its params and its own data, and all handlers must end soon when the client hangs up. Reading goes on,
    /// since a handler may wait for an answer or a cancellation.
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
