//! A connection that the server has begun, as its tasks share it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use reqwest::{Client, Method, RequestBuilder, header::HeaderValue};
use tokio::sync::mpsc;

use super::{
    readers::Readers,
    streams::{Arrived, Streams},
};
use crate::{
    conversation::Conversation,
    names::{CONNECTION_ID, SESSION_ID},
    net::Net,
    open::Open,
    shared::End,
};

pub(super) struct Link {
    pub(super) net: Arc<Net>,
    id: HeaderValue,
    /// Whether a lost stream can be resumed.
    pub(super) is_resumable: bool,
    pub(super) conversation: Arc<Conversation>,
    pub(super) streams: Streams,
    pub(super) end: End,
    pub(super) readers: Arc<Readers>,
    arriving: mpsc::Sender<Arrived>,
    /// How often messages have arrived, over any stream.
    arrivals: AtomicU64,
}

/// What the answer to `initialize` says of the connection.
pub(super) struct Begun {
    pub(super) id: HeaderValue,
    pub(super) is_resumable: bool,
}

impl Link {
    /// The connection, and what arrives.
    pub(super) fn new(
        net: Arc<Net>,
        conversation: Arc<Conversation>,
        begun: Begun,
    ) -> (Arc<Self>, mpsc::Receiver<Arrived>) {
        // One batch waits here, and one in each stream: so memory is bounded while the receiver takes nothing.
        let (arriving, arrived) = mpsc::channel(1);
        let Begun { id, is_resumable } = begun;
        let (end, readers) = Default::default();
        let link = Arc::new(Self {
            net,
            id,
            is_resumable,
            conversation,
            streams: Streams::new(),
            end,
            readers,
            arriving,
            arrivals: AtomicU64::new(0),
        });
        (link, arrived)
    }

    pub(super) fn open(&self) -> &Open {
        &self.conversation.open
    }

    /// Ends the stream of a session that the agent has not spoken of, if no request about it is open.
    pub(super) fn close_unknown(&self, session: &str) {
        self.streams.close_unknown(session, || !self.open().is_asked_about(session));
    }

    /// A request of this connection, about this session.
    ///
    /// # Errors
    ///
    /// The session's id cannot be a header.
    pub(super) fn request(&self, method: Method, session: Option<&str>) -> Result<RequestBuilder, String> {
        self.request_by(&self.net.client, method, session)
    }

    /// The same, over the connections of this client.
    pub(super) fn request_by(
        &self,
        client: &Client,
        method: Method,
        session: Option<&str>,
    ) -> Result<RequestBuilder, String> {
        let request = client.request(method, self.net.url.clone()).header(CONNECTION_ID, self.id.clone());
        let Some(session) = session else { return Ok(request) };
        // Only visible ASCII is the same for all servers.
        let is_plain = session.bytes().all(|byte| byte.is_ascii_graphic());
        let value = HeaderValue::from_str(session).ok().filter(|_| is_plain);
        let value =
            value.ok_or_else(|| format!("the id of the session {session:?} cannot be sent as a header of HTTP"))?;
        Ok(request.header(SESSION_ID, value))
    }

    /// Messages have arrived over a stream.
    pub(super) async fn arrived(&self, arrived: Arrived) {
        self.arrivals.fetch_add(1, Ordering::Relaxed);
        // Nobody takes them when the connection has ended.
        let _ = self.arriving.send(arrived).await;
    }

    /// How often messages have arrived.
    pub(super) fn arrivals(&self) -> u64 {
        self.arrivals.load(Ordering::Relaxed)
    }
}
