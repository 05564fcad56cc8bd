//! One stream of a connection: its own one, or the one of a session. It has one reader at a time.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::{CancellationToken, OutboxStream, StreamReader};
use axum::{body::Bytes, http::StatusCode};
use tokio::sync::OwnedMutexGuard;

use super::log::{Gone, Log};
use crate::{Retention, durable::Cursor, refusal::Refusal};

/// How long a reader that comes back waits until the earlier one has gone.
const HANDOVER: Duration = Duration::from_secs(5);

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
    log: Mutex<Log>,
    /// The place of the reader.
    place: Arc<tokio::sync::Mutex<()>>,
    /// Lets the reader go.
    reader: Mutex<CancellationToken>,
}

/// The reader of a stream.
pub(crate) struct Reading {
    stream: Stream,
    reader: StreamReader,
    /// Set when another reader takes over.
    pub(crate) revoked: CancellationToken,
    _place: OwnedMutexGuard<()>,
}

impl Stream {
    pub(crate) fn new(outbox: OutboxStream, retention: Arc<Retention>) -> Self {
        let log = Mutex::new(Log::new(retention));
        Self(Arc::new(Inner { outbox, log, place: Arc::default(), reader: Mutex::default() }))
    }

    pub(crate) fn outbox(&self) -> &OutboxStream {
        &self.0.outbox
    }

    /// Whether nobody reads the stream, and nothing waits in it.
    pub(crate) fn is_idle(&self) -> bool {
        self.0.place.try_lock().is_ok() && self.0.outbox.is_empty()
    }

    /// Begins to read.
    ///
    /// # Errors
    ///
    /// There is a reader already.
    pub(crate) fn read(&self) -> Result<Reading, Refusal> {
        let place = self.0.place.clone().try_lock_owned().map_err(|_| {
            let text = "the stream has a reader already; one that comes back sends `Last-Event-ID`, and takes over";
            Refusal::new(StatusCode::CONFLICT, text)
        })?;
        self.begin(place)
    }

    /// Goes on behind a place, instead of an earlier reader. Returns what was said since.
    ///
    /// # Errors
    ///
    /// The stream does not have all that was said since, or another reader takes it at the same time.
    pub(crate) async fn resume(&self, cursor: Cursor) -> Result<(Vec<Bytes>, Reading), NotResumed> {
        // A place that is not known takes the stream from nobody.
        self.log().after(cursor).map_err(NotResumed::Gone)?;
        self.revoke();
        let waiting = tokio::time::timeout(HANDOVER, self.0.place.clone().lock_owned());
        let place = waiting.await.map_err(|_| NotResumed::Taken)?;
        let reading = self.begin(place).map_err(|_| NotResumed::Ended)?;
        let missed = self.log().after(cursor).map_err(NotResumed::Gone)?;
        Ok((missed, reading))
    }

    /// Lets the reader go.
    pub(crate) fn revoke(&self) {
        self.0.reader.lock().unwrap_or_else(PoisonError::into_inner).cancel();
    }

    fn begin(&self, place: OwnedMutexGuard<()>) -> Result<Reading, Refusal> {
        let reader = self.0.outbox.reader().ok_or_else(Refusal::unknown_connection)?;
        let revoked = CancellationToken::new();
        *self.0.reader.lock().unwrap_or_else(PoisonError::into_inner) = revoked.clone();
        Ok(Reading { stream: self.clone(), reader, revoked, _place: place })
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.0.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a reader does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotResumed {
    Gone(Gone),
    /// Another reader takes the stream.
    Taken,
    /// The connection has ended.
    Ended,
}

impl From<NotResumed> for Refusal {
    fn from(why: NotResumed) -> Self {
        let text = match why {
            NotResumed::Ended => return Self::unknown_connection(),
            NotResumed::Taken => "another reader takes the stream",
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
    /// The next message. `None` if the stream has ended. If the future is dropped, no message is lost.
    pub(crate) async fn next(&mut self) -> Option<Vec<u8>> {
        self.reader.next().await
    }

    /// The place behind all that was read.
    pub(crate) fn place(&self) -> Cursor {
        self.stream.log().end()
    }

    /// Writes this message, and those that are ready behind it, one after the other into one piece. Each is kept with its place. `write`
    /// appends it to the piece. Returns the piece, and whether nothing was ready behind it.
    pub(crate) fn piece(
        &mut self,
        first: Vec<u8>,
        mut write: impl FnMut(&mut Vec<u8>, Vec<u8>, Cursor),
    ) -> (Piece, bool) {
        let mut cursor = self.place();
        let (mut piece, mut ends) = (Vec::with_capacity(first.len() + AROUND), Vec::with_capacity(1));
        let mut next = Some(first);
        while let Some(message) = next {
            cursor.number += 1;
            write(&mut piece, message, cursor);
            ends.push(piece.len());
            if piece.len() >= PIECE {
                break;
            }
            next = self.reader.try_next();
        }
        let is_all = piece.len() < PIECE;
        // What is kept has no room to spare.
        piece.shrink_to_fit();
        let whole = Bytes::from(piece);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let messages: Vec<Bytes> = starts.zip(&ends).map(|(start, end)| whole.slice(start..*end)).collect();
        self.stream.log().extend(messages.iter().cloned());
        (Piece { whole, messages }, is_all)
    }
}

/// Messages that leave together. They share their bytes with what is kept.
pub(crate) struct Piece {
    pub(crate) whole: Bytes,
    pub(crate) messages: Vec<Bytes>,
}
