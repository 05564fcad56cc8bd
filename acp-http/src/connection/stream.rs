//! One stream of a connection: its own one, or the one of a session. It has one reader at a time.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use acp_peer::{CancellationToken, OutboxStream, StreamReader};
use axum::{body::Bytes, http::StatusCode};
use tokio::sync::OwnedMutexGuard;

use super::log::Log;
use crate::{Retention, durable::Cursor, refusal::Refusal};

/// How long a reader that comes back waits until the earlier one has gone.
const HANDOVER: Duration = Duration::from_secs(5);

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
    /// The stream does not have all that was said since.
    pub(crate) async fn resume(&self, cursor: Cursor) -> Result<(Vec<Bytes>, Reading), Refusal> {
        let lost = || {
            let text = "what was said behind this place is not kept any more: open the stream without `Last-Event-ID`, and load the session";
            Refusal::new(StatusCode::CONFLICT, text)
        };
        // A place that is not known takes the stream from nobody.
        self.log().after(cursor).ok_or_else(lost)?;
        self.revoke();
        let waiting = tokio::time::timeout(HANDOVER, self.0.place.clone().lock_owned());
        let place = waiting.await.map_err(|_| Refusal::new(StatusCode::CONFLICT, "another reader takes the stream"))?;
        let reading = self.begin(place)?;
        let missed = self.log().after(cursor).ok_or_else(lost)?;
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

impl Reading {
    /// The next message. `None` if the stream has ended. If the future is dropped, no message is lost.
    pub(crate) async fn next(&mut self) -> Option<Vec<u8>> {
        self.reader.next().await
    }

    /// The next message, if there is one now.
    pub(crate) async fn ready(&mut self) -> Option<Vec<u8>> {
        tokio::select! {
            biased;
            message = self.reader.next() => message,
            () = std::future::ready(()) => None,
        }
    }

    /// The place behind all that was read.
    pub(crate) fn place(&self) -> Cursor {
        self.stream.log().end()
    }

    /// Keeps a message with its place, as `make` writes it.
    pub(crate) fn keep(&self, make: impl FnOnce(Cursor) -> Bytes) -> Bytes {
        self.stream.log().push(make)
    }
}
