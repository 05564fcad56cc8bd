//! The streams of a connection: its own, and one for each session.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_peer::CancellationToken;
use tokio::{
    sync::{Notify, watch},
    time::Instant,
};

use crate::shared::Line;

/// Messages that have come together.
pub(super) struct Arrived {
    pub(super) lines: Vec<Line>,
    pub(super) stream: Arc<Stream>,
}

pub(super) struct Streams {
    own: Arc<Stream>,
    sessions: Mutex<HashMap<Box<str>, Arc<Stream>>>,
    /// How many streams are read, or will be.
    readers: watch::Sender<usize>,
}

/// A stream that is read, or will be, until the drop.
pub(super) struct Reader(watch::Sender<usize>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.send_modify(|readers| *readers -= 1);
    }
}

pub(super) struct Stream {
    session: Option<Box<str>>,
    /// Whether the server has the stream open for us; `None` before it has answered.
    state: watch::Sender<Option<bool>>,
    heard: Mutex<Instant>,
    /// How many batches are read and not handed over.
    untaken: AtomicUsize,
    /// Whether the agent has said that there is such a session.
    known: AtomicBool,
    becomes_known: Notify,
    /// The session has ended.
    pub(super) closed: CancellationToken,
}

impl Streams {
    pub(super) fn new() -> Self {
        Self { own: Arc::new(Stream::new(None)), sessions: Mutex::default(), readers: watch::Sender::new(0) }
    }

    pub(super) fn own(&self) -> &Arc<Stream> {
        &self.own
    }

    /// A stream is read from here on.
    pub(super) fn reader(&self) -> Reader {
        self.readers.send_modify(|readers| *readers += 1);
        Reader(self.readers.clone())
    }

    /// Waits until no stream is read any more.
    pub(super) async fn are_read(&self) {
        let _ = self.readers.subscribe().wait_for(|readers| *readers == 0).await;
    }

    pub(super) fn of(&self, session: &str) -> Option<Arc<Stream>> {
        self.sessions().get(session).cloned()
    }

    /// Whether the agent has said that there is such a session.
    pub(super) fn knows(&self, session: &str) -> bool {
        self.of(session).is_some_and(|stream| stream.is_known())
    }

    /// The stream of a session, and whether it is a new one. `is_known` if the agent has said that there is such a session.
    pub(super) fn enter(&self, session: &str, is_known: bool) -> (Arc<Stream>, bool) {
        let mut sessions = self.sessions();
        let mut is_new = false;
        let stream = sessions.entry(session.into()).or_insert_with_key(|session| {
            is_new = true;
            Arc::new(Stream::new(Some(session.clone())))
        });
        if is_known {
            stream.known.store(true, Ordering::Release);
            stream.becomes_known.notify_one();
        }
        (stream.clone(), is_new)
    }

    /// Ends the stream of a session.
    pub(super) fn close(&self, session: &str) {
        if let Some(stream) = self.sessions().remove(session) {
            stream.closed.cancel();
        }
    }

    /// Ends the stream of a session that the agent has not spoken of, if this holds. Nobody enters the stream meanwhile.
    pub(super) fn close_unknown(&self, session: &str, holds: impl FnOnce() -> bool) {
        let mut sessions = self.sessions();
        if sessions.get(session).is_some_and(|stream| !stream.is_known()) && holds() {
            sessions.remove(session).iter().for_each(|stream| stream.closed.cancel());
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Stream>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    fn new(session: Option<Box<str>>) -> Self {
        Self {
            session,
            state: watch::Sender::new(None),
            heard: Mutex::new(Instant::now()),
            untaken: AtomicUsize::new(0),
            known: AtomicBool::new(false),
            becomes_known: Notify::new(),
            closed: CancellationToken::new(),
        }
    }

    pub(super) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    pub(super) fn is_known(&self) -> bool {
        self.known.load(Ordering::Acquire)
    }

    /// Waits until the agent says that there is such a session.
    pub(super) async fn known(&self) {
        while !self.is_known() {
            self.becomes_known.notified().await;
        }
    }

    pub(super) fn is_open(&self, is_open: bool) {
        self.hear();
        self.state.send_replace(Some(is_open));
    }

    /// Waits until the server has opened the stream, or has said why not.
    pub(super) async fn tried(&self) {
        let mut state = self.state.subscribe();
        tokio::select! {
            _ = state.wait_for(Option::is_some) => {}
            () = self.closed.cancelled() => {}
        }
    }

    /// Bytes have come, or messages were taken.
    pub(super) fn hear(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// When the stream was heard of last.
    pub(super) fn heard(&self) -> Instant {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A batch is read.
    pub(super) fn is_read(&self) {
        self.untaken.fetch_add(1, Ordering::AcqRel);
    }

    /// A batch is handed over.
    pub(super) fn is_taken(&self) {
        self.hear();
        self.untaken.fetch_sub(1, Ordering::AcqRel);
    }

    /// Waits until nothing has come for this time, and all that had come is handed over.
    pub(super) async fn quiet(&self, time: Duration) {
        // The answer that waits may have overtaken bytes that are on their way.
        let begin = Instant::now();
        loop {
            let until = self.heard().max(begin) + time;
            tokio::time::sleep_until(until).await;
            let is_lost = *self.state.borrow() == Some(false) && !self.closed.is_cancelled();
            if is_lost && self.is_known() {
                // The stream is on its way back.
                tokio::time::sleep(time).await;
                continue;
            }
            if self.heard() + time <= Instant::now() && self.untaken.load(Ordering::Acquire) == 0 {
                return;
            }
            if self.untaken.load(Ordering::Acquire) > 0 {
                tokio::time::sleep(time).await;
            }
        }
    }
}
