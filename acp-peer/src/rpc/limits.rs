//! The bounds on a connection's memory.

/// Bounds on the memory of one connection. The defaults suit an agent on a developer's machine.
///
/// Over a transport with [several streams](crate::transport::OutboxStream), each stream has its own two bounds on
/// unsent bytes. With a common bound, streams that nobody reads would fill it, and all other streams would wait. So the
/// connection may use the memory of all its streams together, and the transport decides how many streams there are. At
/// the soft bound of a stream, its turns stop. At the hard bound, requests and handlers stop if their answers go to
/// this stream. Changed options and withdrawn requests never wait. They may add more bytes, up to the size of the hard
/// bound again. If they add more than this, the stream is closed.
///
/// ```
/// use acp_peer::transport::Limits;
///
/// let limits = Limits::new().line_bytes(8 * 1024 * 1024);
/// assert_eq!(limits.unsent_soft_bytes, 256 * 1024);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest message that is read, in bytes: 64 MiB. The bound is large because messages contain images and files
    /// as base64. A longer message is answered with an error, and its rest is dropped without being read.
    pub line_bytes: usize,
    /// If more bytes than this are unsent, turns wait before they send more: 256 KiB. With this bound, a turn does not
    /// stop at each pause of the client, and messages of another session do not wait long behind a busy turn.
    pub unsent_soft_bytes: usize,
    /// If more bytes than this are unsent, no message is read, and running handlers wait before they go on: 4 MiB. This
    /// bound is at least the soft bound. Answers do not wait at the soft bound, so that requests and cancellations are
    /// served while a client reads slowly. Only this bound limits the answers, so it is large enough for many of them.
    /// The unsent bytes may exceed it by one message for each thread: a message of any length that was written while
    /// there was room. The memory of waiting handlers is not counted, for example finished answers.
    pub unsent_hard_bytes: usize,
    /// The number of handlers that run at once: 16,384. When so many handlers run, further requests are refused. Each
    /// handler takes a kilobyte, its params and its own data, and all handlers must end soon when the client hangs up.
    /// The agent still reads messages, because a handler may wait for an answer or a cancellation.
    pub concurrent_handlers: usize,
    /// The number of prompts of one session that wait for their turn: 32. It matters to an agent with `turns = "queue"` or
    /// `turns = "steer"`; others refuse prompts during a turn. Further prompts are refused. A waiting prompt keeps its whole
    /// content in memory, and counts as a handler that runs.
    pub waiting_prompts: usize,
}

impl Limits {
    /// The defaults.
    pub const fn new() -> Self {
        Self {
            line_bytes: 64 * 1024 * 1024,
            unsent_soft_bytes: 256 * 1024,
            unsent_hard_bytes: 4 * 1024 * 1024,
            concurrent_handlers: 16 * 1024,
            waiting_prompts: 32,
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

    /// Sets [`Self::waiting_prompts`](field@Self::waiting_prompts).
    #[must_use]
    pub const fn waiting_prompts(mut self, count: usize) -> Self {
        self.waiting_prompts = count;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
