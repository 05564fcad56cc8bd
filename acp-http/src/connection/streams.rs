//! The streams of a connection: its own, and one for each session.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::{Limits, OutboxStream};
use axum::http::StatusCode;

use super::{
    gather::{Gather, Place},
    stream::Stream,
};
use crate::{HttpOptions, Retention, refusal::Refusal};

pub(crate) struct Streams {
    own: Stream,
    sessions: Mutex<HashMap<Box<str>, Stream>>,
    retention: Arc<Retention>,
    gather: Arc<Gather>,
    /// The number of the connection.
    connection: u64,
    max: usize,
    id_bytes: usize,
}

impl Streams {
    pub(crate) fn new(options: &HttpOptions, gather: Arc<Gather>) -> Self {
        let limits: &Limits = &options.serve.limits;
        let retention = Arc::new(options.retention.clone());
        let connection = gather.connection();
        let place = Place { connection, is_of_session: false };
        Self {
            own: Stream::new(OutboxStream::new(limits), retention.clone(), (gather.clone(), place)),
            sessions: Mutex::default(),
            retention,
            gather,
            connection,
            max: options.max_session_streams,
            id_bytes: options.id_bytes,
        }
    }

    pub(crate) fn own(&self) -> &Stream {
        &self.own
    }

    /// A stream for one answer, which no reader of the connection sees.
    pub(crate) fn apart(&self) -> OutboxStream {
        self.own.outbox().sibling()
    }

    /// Looks at the id of a session.
    ///
    /// # Errors
    ///
    /// The id is too long.
    pub(crate) fn check(&self, session: &str) -> Result<(), Refusal> {
        if session.len() <= self.id_bytes {
            return Ok(());
        }
        Err(Refusal::bad_request(format!("the id of a session has at most {} bytes", self.id_bytes)))
    }

    /// The stream of a session. Its client may open it before the session is there, and the agent may speak of a session before
    /// its client reads.
    ///
    /// # Errors
    ///
    /// The id is too long, or there are too many streams.
    pub(crate) fn of(&self, session: &str) -> Result<Stream, Refusal> {
        self.check(session)?;
        let mut sessions = self.sessions();
        if let Some(stream) = sessions.get(session) {
            return Ok(stream.clone());
        }
        if sessions.len() >= self.max {
            sessions.retain(|_, stream| !stream.is_idle());
        }
        if sessions.len() >= self.max {
            let text = format!(
                "a connection has streams for at most {} sessions: close some, or open another connection",
                self.max
            );
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, text));
        }
        let place = Place { connection: self.connection, is_of_session: true };
        let gathered = (self.gather.clone(), place);
        let stream = Stream::new(self.own.outbox().sibling(), self.retention.clone(), gathered);
        sessions.insert(session.into(), stream.clone());
        Ok(stream)
    }

    /// Where the agent sends what it says of a session. Where there are too many streams, this is the one of the connection.
    pub(crate) fn outbox_of(&self, session: &str) -> OutboxStream {
        self.of(session).map_or_else(|_| self.own.outbox().clone(), |stream| stream.outbox().clone())
    }

    /// Lets all readers go.
    pub(crate) fn revoke(&self) {
        self.own.revoke();
        self.sessions().values().for_each(Stream::revoke);
    }

    /// Forgets what is too old to be said again.
    pub(crate) fn trim(&self) {
        self.own.trim();
        self.sessions().values().for_each(Stream::trim);
    }

    /// Lets the readers go that take nothing for so long, though there is something. Returns whose streams they have read: sessions, or
    /// the connection.
    pub(crate) fn revoke_stalled(&self, timeout: Duration) -> Vec<Option<Box<str>>> {
        let own = self.own.revoke_stalled(timeout).then_some(None);
        let sessions = self.sessions();
        let stalled = sessions.iter().filter(|(_, stream)| stream.revoke_stalled(timeout));
        own.into_iter().chain(stalled.map(|(session, _)| Some(session.clone()))).collect()
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<Box<str>, Stream>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
