//! One connection of a client: it begins with `initialize`, is served in a task of its own, and ends by DELETE, at the end of the server, or
//! when nobody has read it for a time. A lost stream or WebSocket does not end it.

mod followed;
mod gather;
mod log;
mod open;
mod presence;
mod states;
mod stream;
mod streams;
mod transport;

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use acp_peer::{CancellationToken, OutboxStream, TARGET, transport::Context};
use axum::body::Bytes;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tracing::Instrument as _;
use uuid::Uuid;

pub(crate) use self::{
    followed::Followed,
    gather::Gather,
    log::Gone,
    open::{Asked, Open},
    presence::{Presence, Present},
    states::States,
    stream::{MOST_MISSED, NotResumed, Piece, Reading},
    streams::Streams,
    transport::{Arrived, HttpTransport},
};
use crate::{
    HttpOptions, Principal, Retention,
    counters::Counters,
    durable,
    message::{Message, session_of_answer},
    refusal::Refusal,
};

/// Serves a transport until it ends.
pub(crate) type Serve = Arc<dyn Fn(HttpTransport) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// How many messages wait between the server and the runtime.
const ARRIVING: usize = 64;

pub(crate) struct Connection {
    pub(crate) id: Uuid,
    pub(crate) principal: Option<Principal>,
    pub(crate) streams: Arc<Streams>,
    /// Whether each session has a stream of its own.
    pub(crate) is_routed: bool,
    pub(crate) open: Open,
    pub(crate) followed: Followed,
    pub(crate) states: States,
    pub(crate) presence: Presence,
    pub(crate) counters: Arc<Counters>,
    retention: Retention,
    /// Told when a request is answered or a session becomes idle.
    settling: Notify,
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
        (counters, gather): (Arc<Counters>, Arc<Gather>),
        is_routed: bool,
        leave: impl FnOnce(Uuid) + Send + 'static,
    ) -> Arc<Self> {
        let (sender, arriving) = mpsc::channel(ARRIVING);
        let streams = Arc::new(Streams::new(options, gather));
        let connection = Arc::new(Self {
            id: Uuid::new_v4(),
            principal,
            streams: streams.clone(),
            is_routed,
            open: Open::default(),
            followed: Followed::default(),
            states: States::new(options.max_session_streams),
            presence: Presence::new(counters.clone()),
            counters,
            retention: options.retention.clone(),
            settling: Notify::new(),
            arriving: Mutex::new(Some(sender)),
            ended: CancellationToken::new(),
        });
        let serving = serve(HttpTransport { streams, arriving, context, is_routed });
        let span = tracing::debug_span!(
            target: TARGET,
            "acp connection",
            acp.connection.id = %connection.id.simple(),
            network.transport = if is_routed { "http" } else { "websocket" },
        );
        tokio::spawn(connection.clone().run(serving, options.detached_timeout, leave).instrument(span));
        connection
    }

    async fn run(
        self: Arc<Self>,
        serving: Pin<Box<dyn Future<Output = ()> + Send>>,
        detached_timeout: Duration,
        leave: impl FnOnce(Uuid),
    ) {
        self.counters.begun.add(1);
        tracing::debug!(target: TARGET, "an HTTP connection begins");
        let abandoned = async {
            self.presence.abandoned(detached_timeout).await;
            self.counters.abandoned.add(1);
            tracing::debug!(target: TARGET, "nobody has read the connection for a time: it ends");
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
        tracing::debug!(target: TARGET, "an HTTP connection has ended");
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
        self.counters.received(message.len());
        sender.send(Arrived { message, answer }).await.map_err(|_| Refusal::unknown_connection())
    }

    /// Where the answer to a request about this session goes: to its stream, or to the one of the connection if the client may not hear the
    /// other one.
    ///
    /// # Errors
    ///
    /// The id is too long, or there are too many streams.
    pub(crate) fn answers_about(&self, session: &str) -> Result<OutboxStream, Refusal> {
        self.streams.check(session)?;
        let stream = match self.followed.has(session) {
            true => self.streams.of(session)?,
            false => self.streams.own().clone(),
        };
        Ok(stream.outbox().clone())
    }

    /// A message leaves to the client, about this session. Returns it as the client gets it.
    pub(crate) fn leaves(&self, message: Vec<u8>, session: Option<&str>) -> Vec<u8> {
        self.counters.sent(message.len());
        // Most messages are updates, and these have no id.
        if is_notification(&message) {
            self.states.leaves(&message);
            if self.is_settled() {
                self.settling.notify_waiters();
            }
            return message;
        }
        match (Message::read(&message), session) {
            (Ok(Message::Answer { id, is_error }), _) => {
                let asked = self.open.end(&id);
                let message = self.answered(message, asked, is_error);
                self.settling.notify_waiters();
                message
            }
            (Ok(Message::Request { id, .. }), Some(session)) => {
                self.open.asked(id, session);
                message
            }
            _ => message,
        }
    }

    fn answered(&self, message: Vec<u8>, asked: Option<Asked>, is_error: bool) -> Vec<u8> {
        match asked {
            Some(Asked::Initialize) if !is_error => return self.initialized(message),
            Some(Asked::Prompt(session)) if !is_error => self.states.begins(&session),
            Some(Asked::New) => session_of_answer(&message).iter().for_each(|session| self.followed.opens(session)),
            Some(Asked::Open(session)) if is_error => self.followed.refuses(&session),
            Some(Asked::Open(session)) => self.followed.opens(&session),
            Some(Asked::End(session)) if !is_error => {
                self.states.forget(&session);
                self.followed.ends(&session);
            }
            _ => {}
        }
        message
    }

    /// The answer to `initialize`, which says that streams can be resumed.
    fn initialized(&self, message: Vec<u8>) -> Vec<u8> {
        let Ok(mut answer) = serde_json::from_slice::<Value>(&message) else { return message };
        self.states.agree_on(answer["result"]["protocolVersion"].as_u64().unwrap_or(1));
        durable::advertise(&mut answer, &self.retention, (!self.is_routed).then_some(self.id));
        serde_json::to_vec(&answer).unwrap_or(message)
    }

    /// What a client that comes back to the stream of this session is told of it, behind all that it has missed.
    pub(crate) fn state_of(&self, session: &str) -> Vec<u8> {
        if self.states.are_told() {
            return self.states.of(session).unwrap_or_else(|| durable::idle(session));
        }
        durable::resumed(Some((session, self.open.prompt_of(session))))
    }

    /// What a client that comes back to all streams is told: one message at least.
    pub(crate) fn state_of_all(&self) -> Vec<Vec<u8>> {
        let mut told = if self.states.are_told() {
            self.states.all()
        } else {
            self.open.prompted().iter().map(|session| self.state_of(session)).collect()
        };
        if told.is_empty() {
            told.push(durable::resumed(None));
        }
        told
    }

    fn is_settled(&self) -> bool {
        self.open.is_empty() && self.states.are_idle()
    }

    /// Ends the connection as a client does that hangs up: turns are cancelled.
    pub(crate) fn end(&self) {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The request with this id was not passed on.
    pub(crate) fn withdraw(&self, id: &str) {
        self.open.end(id);
        self.settling.notify_waiters();
    }

    /// Waits until all requests are answered and no turn runs, and ends. What is accepted meanwhile is answered, too: a client whose message
    /// is refused sends it again elsewhere.
    pub(crate) async fn drain(&self) {
        let draining = async {
            self.settled().await;
            // Nothing is accepted from here on, but the agent does not see an end yet.
            let open = self.arriving.lock().unwrap_or_else(PoisonError::into_inner).take();
            self.settled().await;
            drop(open);
        };
        tokio::select! {
            () = draining => {}
            () = self.ended.cancelled() => {}
        }
        self.end_now().await;
    }

    /// Waits until all requests are answered and no turn runs.
    async fn settled(&self) {
        loop {
            let settling = self.settling.notified();
            tokio::pin!(settling);
            settling.as_mut().enable();
            if self.is_settled() {
                return;
            }
            settling.await;
        }
    }

    /// Ends the connection now: its turns are cancelled, and what was said leaves.
    pub(crate) async fn end_now(&self) {
        self.end();
        self.ended.cancelled().await;
    }

    /// Lets the readers of event streams go that take nothing for so long, though there is something, and forgets what is too old.
    pub(crate) fn look_after(&self, timeout: Duration) {
        self.streams.trim();
        // The writer of a WebSocket has a timeout of its own.
        if !self.is_routed {
            return;
        }
        for session in self.streams.revoke_stalled(timeout) {
            self.counters.stalled.add(1);
            tracing::debug!(target: TARGET, { acp.connection.id = %self.id.simple(), acp.session.id = session.as_deref() }, "the reader of a stream takes nothing: it is let go");
        }
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

/// Whether a message of the runtime is a notification: these begin with their method.
fn is_notification(bytes: &[u8]) -> bool {
    bytes.starts_with(br#"{"jsonrpc":"2.0","method":"#)
}
