//! One connection of a client: it begins with `initialize`, is served in a task of its own, and ends by DELETE, at the end of the server, or
//! when nobody has read it for a time. A lost stream or WebSocket does not end it.

mod log;
mod open;
mod presence;
mod stream;
mod streams;
mod transport;

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use acp_peer::{CancellationToken, OutboxStream, TARGET, transport::Context};
use axum::body::Bytes;
use tokio::sync::mpsc;
use uuid::Uuid;

pub(crate) use self::{
    open::Open,
    presence::{Presence, Present},
    stream::Reading,
    streams::Streams,
    transport::{Arrived, HttpTransport},
};
use crate::{HttpOptions, Principal, refusal::Refusal};

/// Serves a transport until it ends.
pub(crate) type Serve = Arc<dyn Fn(HttpTransport) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// How many messages wait between the server and the runtime.
const ARRIVING: usize = 64;

pub(crate) struct Connection {
    pub(crate) id: Uuid,
    pub(crate) principal: Option<Principal>,
    pub(crate) streams: Arc<Streams>,
    pub(crate) open: Open,
    pub(crate) presence: Presence,
    /// `None` when nothing is taken any more.
    arriving: Mutex<Option<mpsc::Sender<Arrived>>>,
    /// Set when the connection has ended.
    ended: CancellationToken,
}

impl Connection {
    /// Begins a connection. When it has ended, `leave` is called.
    pub(crate) fn begin(
        (principal, context): (Option<Principal>, Context),
        options: &HttpOptions,
        serve: &Serve,
        is_routed: bool,
        leave: impl FnOnce(Uuid) + Send + 'static,
    ) -> Arc<Self> {
        let (sender, arriving) = mpsc::channel(ARRIVING);
        let streams = Arc::new(Streams::new(options));
        let connection = Arc::new(Self {
            id: Uuid::new_v4(),
            principal,
            streams: streams.clone(),
            open: Open::default(),
            presence: Presence::new(),
            arriving: Mutex::new(Some(sender)),
            ended: CancellationToken::new(),
        });
        let serving = serve(HttpTransport { streams, arriving, context, is_routed });
        tokio::spawn(connection.clone().run(serving, options.detached_timeout, leave));
        connection
    }

    async fn run(
        self: Arc<Self>,
        serving: Pin<Box<dyn Future<Output = ()> + Send>>,
        detached_timeout: std::time::Duration,
        leave: impl FnOnce(Uuid),
    ) {
        tracing::debug!(target: TARGET, connection = %self.id, "an HTTP connection begins");
        let abandoned = async {
            self.presence.abandoned(detached_timeout).await;
            tracing::debug!(target: TARGET, connection = %self.id, "nobody has read the connection for a time: it ends");
            self.end();
            std::future::pending().await
        };
        tokio::select! {
            () = serving => {}
            () = abandoned => {}
        }
        self.end();
        self.ended.cancel();
        self.streams.revoke();
        leave(self.id);
        tracing::debug!(target: TARGET, connection = %self.id, "an HTTP connection has ended");
    }

    /// Passes a message on, behind all earlier ones.
    ///
    /// # Errors
    ///
    /// The connection has ended.
    pub(crate) async fn pass(&self, message: Bytes, answer: OutboxStream) -> Result<(), Refusal> {
        self.presence.seen();
        let sender = self.arriving.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let sender = sender.ok_or_else(Refusal::unknown_connection)?;
        // While too many answers are unread there, the request waits.
        answer.below_hard().await;
        sender.send(Arrived { message, answer }).await.map_err(|_| Refusal::unknown_connection())
    }

    /// Ends the connection as a client does that hangs up: turns are cancelled.
    pub(crate) fn end(&self) {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Waits until all requests are answered, and ends.
    pub(crate) async fn drain(&self) {
        tokio::select! {
            () = self.open.all_answered() => {}
            () = self.ended.cancelled() => {}
        }
        self.end_now().await;
    }

    /// Ends the connection now: its turns are cancelled, and what was said leaves.
    pub(crate) async fn end_now(&self) {
        self.end();
        self.ended.cancelled().await;
    }

    /// Whether messages are taken.
    pub(crate) fn is_open(&self) -> bool {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("id", &self.id).finish_non_exhaustive()
    }
}
