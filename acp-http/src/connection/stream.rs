//! One stream of a connection: its own one, or the one of a session. It has one reader at a time.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Wake, Waker, ready},
    time::{Duration, Instant},
};

use acp_peer::{OutboxStream, StreamReader};
use axum::{body::Bytes, http::StatusCode};

use super::{
    gather::{Gather, Gathered, Meantime, Place},
    log::{Gone, Log},
};
use crate::{Retention, durable::Cursor, refusal::Refusal};

/// Messages that are ready together leave in pieces of about this size.
const PIECE: usize = 64 * 1024;

/// The most bytes that a client which comes back gets before the state of its session, if more and more are ready.
pub(crate) const MOST_MISSED: usize = 32 * PIECE;

/// Room for what stands around a message.
const AROUND: usize = 112;

#[derive(Clone)]
pub(crate) struct Stream(Arc<Inner>);

struct Inner {
    outbox: OutboxStream,
    state: Mutex<State>,
    gather: Arc<Gather>,
    place: Place,
    meantime: Meantime,
}

struct State {
    log: Log,
    /// The messages of the reader; `None` while nobody reads.
    messages: Option<StreamReader>,
    /// How many readers there were. An earlier one has no messages any more.
    readers: u64,
    /// The task of the reader, which hears when another one takes over.
    task: Option<Waker>,
    /// Whether the reader waits until it is woken. If its task runs for another reason, it would take messages one by one.
    is_waiting: bool,
    /// Since when there is something that the reader does not take, as far as somebody has looked.
    untaken: Option<Instant>,
}

/// The reader of a stream, until another one takes over.
pub(crate) struct Reading {
    stream: Stream,
    number: u64,
}

impl Stream {
    pub(crate) fn new(outbox: OutboxStream, retention: Arc<Retention>, (gather, place): (Arc<Gather>, Place)) -> Self {
        let state = State {
            log: Log::new(retention),
            messages: None,
            readers: 0,
            task: None,
            is_waiting: false,
            untaken: None,
        };
        Self(Arc::new(Inner { outbox, state: Mutex::new(state), gather, place, meantime: Meantime::default() }))
    }

    pub(crate) fn outbox(&self) -> &OutboxStream {
        &self.0.outbox
    }

    /// Whether nobody reads the stream, and nothing waits in it.
    pub(crate) fn is_idle(&self) -> bool {
        self.state().messages.is_none() && self.0.outbox.is_empty()
    }

    /// Begins to read.
    ///
    /// # Errors
    ///
    /// There is a reader already.
    pub(crate) fn read(&self) -> Result<Reading, Refusal> {
        let mut state = self.state();
        if state.messages.is_some() {
            let text = "the stream has a reader already; one that comes back sends `Last-Event-ID`, and takes over";
            return Err(Refusal::new(StatusCode::CONFLICT, text));
        }
        self.begin(&mut state).ok_or_else(Refusal::unknown_connection)
    }

    /// Goes on behind a place, instead of an earlier reader. Returns what was said since.
    ///
    /// # Errors
    ///
    /// The stream does not have all that was said since.
    pub(crate) fn resume(&self, cursor: Cursor) -> Result<(Vec<Bytes>, Reading), NotResumed> {
        let mut state = self.state();
        // A place that is not known takes the stream from nobody.
        let missed = state.log.after(cursor).map_err(NotResumed::Gone)?;
        let earlier = state.let_go();
        let reading = self.begin(&mut state).ok_or(NotResumed::Ended);
        drop(state);
        wake(earlier);
        Ok((missed, reading?))
    }

    /// Lets the reader go.
    pub(crate) fn revoke(&self) {
        let reader = self.state().let_go();
        wake(reader);
    }

    /// Forgets what is too old to be said again.
    pub(crate) fn trim(&self) {
        self.state().log.trim(Instant::now());
    }

    /// Lets the reader go if it takes nothing for so long, though there is something. Returns whether it did. This finds out only
    /// what is so whenever it looks.
    pub(crate) fn revoke_stalled(&self, timeout: Duration) -> bool {
        let mut state = self.state();
        if state.messages.is_none() || self.0.outbox.is_empty() {
            state.untaken = None;
            return false;
        }
        if state.untaken.get_or_insert_with(Instant::now).elapsed() < timeout {
            return false;
        }
        let reader = state.let_go();
        drop(state);
        wake(reader);
        true
    }

    fn begin(&self, state: &mut State) -> Option<Reading> {
        state.messages = Some(self.0.outbox.reader()?);
        Some(Reading { stream: self.clone(), number: state.readers })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The reader has no messages any more. Returns its task, which does not know yet.
    #[must_use]
    fn let_go(&mut self) -> Option<Waker> {
        self.readers += 1;
        self.messages = None;
        self.is_waiting = false;
        self.untaken = None;
        self.task.take()
    }
}

fn wake(task: Option<Waker>) {
    if let Some(task) = task {
        task.wake();
    }
}

/// Why a reader does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotResumed {
    Gone(Gone),
    /// The connection has ended.
    Ended,
}

impl From<NotResumed> for Refusal {
    fn from(why: NotResumed) -> Self {
        let text = match why {
            NotResumed::Ended => return Self::unknown_connection(),
            NotResumed::Gone(Gone::Unknown) => {
                "the place is not one of this stream: open it without `Last-Event-ID`, and load the session"
            }
            NotResumed::Gone(Gone::Expired) => {
                "what was said behind this place is not kept any more: open the stream without `Last-Event-ID`, and load the session"
            }
        };
        Self::new(StatusCode::CONFLICT, text)
    }
}

impl Reading {
    /// The place behind all that was read.
    pub(crate) fn place(&self) -> Cursor {
        self.stream.state().log.end()
    }

    /// The messages that are ready, one after the other in one piece. Each is kept with its place. `write` appends it to the piece.
    /// Also returns whether nothing is ready behind it. `None` if the stream has ended, or if another reader has taken over.
    pub(crate) fn poll_piece(
        &mut self,
        cx: &mut Context<'_>,
        mut write: impl FnMut(&mut Vec<u8>, Vec<u8>, Cursor),
    ) -> Poll<Option<(Piece, bool)>> {
        let mut state = self.stream.state();
        let State { log, messages, readers, task, is_waiting, untaken } = &mut *state;
        let Some(messages) = messages.as_mut().filter(|_| *readers == self.number) else { return Poll::Ready(None) };
        *untaken = None;
        // A message wakes the stream itself, which wakes the reader a moment later.
        let polled = match is_waiting {
            true => Poll::Pending,
            false => messages.poll_next(&mut Context::from_waker(&Waker::from(self.stream.0.clone()))),
        };
        if polled.is_pending() {
            *is_waiting = true;
            match task {
                Some(task) => task.clone_from(cx.waker()),
                task => *task = Some(cx.waker().clone()),
            }
        }
        let Some(first) = ready!(polled) else { return Poll::Ready(None) };
        let mut cursor = log.end();
        let (mut piece, mut ends) = (Vec::with_capacity(first.len() + AROUND), Vec::with_capacity(1));
        let mut next = Some(first);
        while let Some(message) = next {
            cursor.number += 1;
            write(&mut piece, message, cursor);
            ends.push(piece.len());
            if piece.len() >= PIECE {
                break;
            }
            next = messages.try_next();
        }
        let is_all = piece.len() < PIECE;
        // What is kept has no room to spare.
        piece.shrink_to_fit();
        let whole = Bytes::from(piece);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let messages: Vec<Bytes> = starts.zip(&ends).map(|(start, end)| whole.slice(start..*end)).collect();
        log.extend(messages.iter().cloned());
        Poll::Ready(Some((Piece { whole, messages }, is_all)))
    }
}

impl Wake for Inner {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.gather.add(self, &self.meantime, self.outbox.hurries());
    }
}

impl Gathered for Inner {
    fn place(&self) -> Place {
        self.place
    }

    fn wake_now(&self) {
        self.meantime.is_over();
        let task = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_waiting = false;
            state.task.take()
        };
        wake(task);
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let mut state = self.stream.state();
        // Its own task drops it, and need not hear of it.
        let task = if state.readers == self.number { state.let_go() } else { None };
        drop(state);
        drop(task);
    }
}

/// Messages that leave together. They share their bytes with what is kept.
pub(crate) struct Piece {
    pub(crate) whole: Bytes,
    pub(crate) messages: Vec<Bytes>,
}
