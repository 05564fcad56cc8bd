//! The options of an endpoint: its bounds, and who may reach it.

use std::{net::Ipv6Addr, time::Duration};

use acp_runtime_core::agent::ServeOptions;

/// The bounds of an [`Endpoint`](crate::Endpoint), and who may reach it. The defaults suit one machine with some hundred users.
///
/// ```
/// use std::time::Duration;
///
/// use acp_http::HttpOptions;
///
/// let options = HttpOptions::new()
///     .host("agent.example.com")
///     .origin("https://editor.example.com")
///     .detached_timeout(Duration::from_secs(300));
/// assert_eq!(options.max_connections, 10_000);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The names under which the server is reached, beside `localhost`, `127.0.0.1` and `[::1]`, without a port: the header `Host`
    /// (`:authority` with HTTP/2) must be one of them, else the answer is 421. So no web page can reach the agent through a name of
    /// its own that leads to this machine.
    pub hosts: Vec<String>,
    /// The web pages that may send requests, as `scheme://host:port`, beside those of the server itself. A request with another
    /// `Origin` is answered 403. Programs send none. To let a page of another origin read the answers, add the layer for CORS of
    /// `tower-http` to your server.
    pub origins: Vec<String>,
    /// The bounds of each connection, and the versions of the protocol. Each stream of a connection has the bounds on unsent bytes for itself.
    pub serve: ServeOptions,
    /// The longest message of a client, in bytes: 16 MiB. A longer one is answered 413.
    pub message_bytes: usize,
    /// The time for the head of a request to arrive at a [server of its own](crate::ServeHttp): 10 s. Then the connection of TCP is closed.
    pub head_timeout: Duration,
    /// The time for the body of a request to arrive: 30 s. Then the answer is 408.
    pub body_timeout: Duration,
    /// How many connections there may be: 10,000. Further ones are answered 503.
    pub max_connections: usize,
    /// How many sessions of one connection may have a stream: 1,024.
    pub max_session_streams: usize,
    /// The longest id of a session or a request, in bytes: 1,024.
    pub id_bytes: usize,
    /// After this time of silence, a stream gets a comment, and a WebSocket a ping: 15 s.
    pub keepalive: Duration,
    /// The time after which a reader that takes nothing is let go, and a WebSocket without an answer to the ping: 60 s.
    pub stall_timeout: Duration,
    /// How long a connection lives, with its turns, while nobody reads one of its streams: 120 s. A client that comes back within this time
    /// has lost nothing.
    pub detached_timeout: Duration,
    /// What is kept of a stream for a client that comes back.
    pub retention: Retention,
    /// How long a [server of its own](crate::ServeHttp) that is told to end waits for the running turns: 10 s. Then they are cancelled.
    pub drain_timeout: Duration,
}

/// What is kept of each stream behind its reader, for a client that comes back. What is older is gone: a client that asks for it is
/// answered 409, and loads the session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// How many messages: 4,096.
    pub messages: usize,
    /// How many bytes: 1 MiB. The last message is kept, however long it is.
    pub bytes: usize,
    /// How long: 120 s.
    pub time: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        Self { messages: 4096, bytes: 1024 * 1024, time: Duration::from_secs(120) }
    }
}

impl HttpOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            serve: ServeOptions::new(),
            message_bytes: 16 * 1024 * 1024,
            head_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            max_connections: 10_000,
            max_session_streams: 1024,
            id_bytes: 1024,
            keepalive: Duration::from_secs(15),
            stall_timeout: Duration::from_secs(60),
            detached_timeout: Duration::from_secs(120),
            retention: Retention::default(),
            drain_timeout: Duration::from_secs(10),
        }
    }

    /// Adds one of [`Self::hosts`](field@Self::hosts). An address of IP version 6 gets its brackets.
    #[must_use]
    pub fn host(mut self, host: impl Into<String>) -> Self {
        let host = host.into();
        self.hosts.push(if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host });
        self
    }

    /// Adds one of [`Self::origins`](field@Self::origins).
    #[must_use]
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Sets [`Self::serve`](field@Self::serve).
    #[must_use]
    pub fn serve(mut self, serve: impl Into<ServeOptions>) -> Self {
        self.serve = serve.into();
        self
    }

    /// Sets [`Self::message_bytes`](field@Self::message_bytes).
    #[must_use]
    pub fn message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = bytes;
        self
    }

    /// Sets [`Self::head_timeout`](field@Self::head_timeout).
    #[must_use]
    pub fn head_timeout(mut self, timeout: Duration) -> Self {
        self.head_timeout = timeout;
        self
    }

    /// Sets [`Self::body_timeout`](field@Self::body_timeout).
    #[must_use]
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.body_timeout = timeout;
        self
    }

    /// Sets [`Self::max_connections`](field@Self::max_connections).
    #[must_use]
    pub fn max_connections(mut self, count: usize) -> Self {
        self.max_connections = count;
        self
    }

    /// Sets [`Self::max_session_streams`](field@Self::max_session_streams).
    #[must_use]
    pub fn max_session_streams(mut self, count: usize) -> Self {
        self.max_session_streams = count;
        self
    }

    /// Sets [`Self::id_bytes`](field@Self::id_bytes).
    #[must_use]
    pub fn id_bytes(mut self, bytes: usize) -> Self {
        self.id_bytes = bytes;
        self
    }

    /// Sets [`Self::keepalive`](field@Self::keepalive).
    #[must_use]
    pub fn keepalive(mut self, silence: Duration) -> Self {
        self.keepalive = silence;
        self
    }

    /// Sets [`Self::stall_timeout`](field@Self::stall_timeout).
    #[must_use]
    pub fn stall_timeout(mut self, timeout: Duration) -> Self {
        self.stall_timeout = timeout;
        self
    }

    /// Sets [`Self::detached_timeout`](field@Self::detached_timeout).
    #[must_use]
    pub fn detached_timeout(mut self, timeout: Duration) -> Self {
        self.detached_timeout = timeout;
        self
    }

    /// Sets [`Self::drain_timeout`](field@Self::drain_timeout).
    #[must_use]
    pub fn drain_timeout(mut self, timeout: Duration) -> Self {
        self.drain_timeout = timeout;
        self
    }

    /// Sets [`Self::retention`](field@Self::retention).
    #[must_use]
    pub fn retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl Retention {
    /// Sets [`Self::messages`](field@Self::messages).
    #[must_use]
    pub fn messages(mut self, count: usize) -> Self {
        self.messages = count;
        self
    }

    /// Sets [`Self::bytes`](field@Self::bytes).
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets [`Self::time`](field@Self::time).
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }
}
