//! Where the agent is, and how the client reaches it.

use std::{fmt, io, time::Duration};

use reqwest::{
    Url,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};

use crate::Backoff;

/// An agent behind a URL: a transport for a client.
///
/// With `http:` or `https:` in the URL, messages go by POST and come over event streams. With `ws:` or `wss:`, both go over a WebSocket.
///
/// ```
/// use acp_dial::Http;
///
/// let agent = Http::new("https://agent.example.com/acp").bearer("the token of a login");
/// assert!(!format!("{agent:?}").contains("token of"));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Http {
    url: String,
    headers: Vec<(String, String)>,
    /// The pauses between attempts to reach a server that is away.
    pub backoff: Backoff,
    /// The time for a connection of TCP with its TLS: 10 s.
    pub connect_timeout: Duration,
    /// The time for the server to accept a message: 60 s. Then it is [in doubt](crate#a-message-in-doubt).
    pub accept_timeout: Duration,
    /// How long the answer to a request that is [in doubt](crate#a-message-in-doubt) is waited for, since its session was heard of last: 60 s.
    pub doubt_timeout: Duration,
    /// The time after which a silent stream counts as lost: 75 s, which are five of the server's signs of life. It counts for WebSockets,
    /// and for servers whose streams can be resumed: other servers may be silent for ever.
    pub silence: Duration,
    /// Whether another connection begins in the place of one that the server does not know any more: true. See
    /// [a server that is gone](crate#a-server-that-is-gone).
    pub begin_again: bool,
    /// Whether `http:` means HTTP/2 from the first byte on. With `https:`, client and server agree on the newest version both speak.
    pub prior_knowledge: bool,
}

impl Http {
    /// An agent under this URL. [`Transport::open`](acp_peer::transport::Transport::open) checks it.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            headers: Vec::new(),
            backoff: Backoff::new(),
            connect_timeout: Duration::from_secs(10),
            accept_timeout: Duration::from_secs(60),
            doubt_timeout: Duration::from_secs(60),
            silence: Duration::from_secs(75),
            begin_again: true,
            prior_knowledge: false,
        }
    }

    /// Sends this token with each request, in the header `Authorization`. A token never stands in a URL, where logs would show it.
    #[must_use]
    pub fn bearer(self, token: impl fmt::Display) -> Self {
        self.header(AUTHORIZATION.as_str(), format!("Bearer {token}"))
    }

    /// Sends this header with each request. Its value is not shown in logs.
    ///
    /// ```
    /// let agent = acp_dial::Http::new("https://agent.example.com/acp").header("x-tenant", "blue");
    /// # let _ = agent;
    /// ```
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets [`Self::backoff`](field@Self::backoff).
    #[must_use]
    pub fn backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// Sets [`Self::connect_timeout`](field@Self::connect_timeout).
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// Sets [`Self::accept_timeout`](field@Self::accept_timeout).
    #[must_use]
    pub fn accept_timeout(mut self, timeout: Duration) -> Self {
        self.accept_timeout = timeout;
        self
    }

    /// Sets [`Self::doubt_timeout`](field@Self::doubt_timeout).
    #[must_use]
    pub fn doubt_timeout(mut self, timeout: Duration) -> Self {
        self.doubt_timeout = timeout;
        self
    }

    /// Sets [`Self::silence`](field@Self::silence).
    #[must_use]
    pub fn silence(mut self, time: Duration) -> Self {
        self.silence = time;
        self
    }

    /// Sets [`Self::begin_again`](field@Self::begin_again).
    #[must_use]
    pub fn begin_again(mut self, begins: bool) -> Self {
        self.begin_again = begins;
        self
    }

    /// Sets [`Self::prior_knowledge`](field@Self::prior_knowledge).
    #[must_use]
    pub fn prior_knowledge(mut self, is_http2: bool) -> Self {
        self.prior_knowledge = is_http2;
        self
    }

    /// The URL, if an agent may be under it.
    pub(crate) fn checked(&self) -> io::Result<Url> {
        let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidInput, what);
        let url = Url::parse(&self.url).map_err(|error| wrong(format!("the URL of the agent is wrong: {error}")))?;
        if !matches!(url.scheme(), "http" | "https" | "ws" | "wss") {
            let text = format!(
                "the URL of the agent begins with `{}:`, and must begin with `http:`, `https:`, `ws:` or `wss:`",
                url.scheme()
            );
            return Err(wrong(text));
        }
        if !url.username().is_empty() || url.password().is_some() {
            let text = "the URL of the agent has a name or a password, which logs would show: leave it out, and use `Http::bearer` or `Http::header`";
            return Err(wrong(text.to_owned()));
        }
        Ok(url)
    }

    pub(crate) fn checked_headers(&self) -> io::Result<HeaderMap> {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.headers {
            let wrong = |what: &str| {
                let text = format!("the {what} of the header {name:?} is none that HTTP can send");
                io::Error::new(io::ErrorKind::InvalidInput, text)
            };
            let name: HeaderName = name.parse().map_err(|_| wrong("name"))?;
            let mut value: HeaderValue = value.parse().map_err(|_| wrong("value"))?;
            value.set_sensitive(true);
            headers.append(name, value);
        }
        Ok(headers)
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Http").field("url", &self.url).field("headers", &headers).finish_non_exhaustive()
    }
}
