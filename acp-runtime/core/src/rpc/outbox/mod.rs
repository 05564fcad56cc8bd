//! What leaves the connection: one bounded buffer that every message is serialised into once, and that is written in
//! large pieces. `buffer` holds the bytes, `writer` sends what nobody sent directly.
//!
//! Two bounds keep memory flat while the peer does not read. Above the soft one, turns wait before they add to it. Answers
//! do not, so that a cancel is still read and answered while a stream stalls. Above the hard one the dispatcher stops
//! reading, since its own answers cannot wait, and handlers at work wait before they go on and before they answer. So a
//! peer that floods without reading is not served without end: what exceeds the hard bound is an answer a thread.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::AsyncWrite;
use tokio::sync::Notify;

use self::buffer::{Buffer, Written};
use self::writer::Writer;
use crate::wire::error::Error;
use crate::{rpc::Limits, wire::log};

mod buffer;
mod writer;

/// From here on a sender writes by itself, rather than leave its messages to the next idle moment.
const EAGER: usize = 32 * 1024;

/// One flush writes at most this often, or a peer that reads as fast as we write would keep the dispatcher at it.
const FLUSH_WRITES: usize = 16;

/// Writes without waiting, for whoever has just finished something: saves the wake-up of the writer.
pub(crate) trait Direct: Send {
    /// Writes a part of `bytes`, or fails with [`io::ErrorKind::WouldBlock`].
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;
}

/// The peer is gone, or the connection has ended: nothing can be sent any more.
#[doc(hidden)] // handlers are given an `Error` instead
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is closed")]
pub struct Closed;

#[doc(hidden)]
impl From<Closed> for Error {
    fn from(closed: Closed) -> Self {
        Self::internal_error(closed.to_string())
    }
}

/// The output took no more, for a reason that is not the peer's: a full disk, say.
#[derive(Debug, thiserror::Error)]
#[error("could not write to {to}: {error}; messages to the client are lost")]
pub(crate) struct Unwritable {
    to: &'static str,
    error: io::Error,
}

#[doc(hidden)]
impl From<Unwritable> for Error {
    fn from(unwritable: Unwritable) -> Self {
        Self::internal_error(unwritable.to_string())
    }
}

/// The sending end of a connection, as a [`Transport`](crate::transport::Transport) opens it. Clones share it.
#[derive(Clone)]
pub struct Outbox {
    shared: Arc<Shared>,
}

struct Shared {
    buffer: Mutex<Buffer>,
    /// Where it all goes, for people.
    to: &'static str,
    soft: usize,
    hard: usize,
    has_direct: bool,
    closed: AtomicBool,
    /// The hard bound was reached, and since then there was not much room. A hint, so that the dispatcher can look after
    /// each message, and a handler before each step.
    brimming: AtomicBool,
    /// For the writer: there is something to write.
    dirty: Notify,
    /// For senders: unsent bytes fell well below the soft bound.
    room: Notify,
    /// For the dispatcher and the handlers: unsent bytes fell well below the hard bound.
    slack: Notify,
    /// Whoever holds this is the next handler to go on: all at once would fill the room many times over.
    next: tokio::sync::Mutex<()>,
    ended: Notify,
}

impl Outbox {
    /// Sends over `sink`, from a task that is spawned here.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn new(limits: &Limits, sink: impl AsyncWrite + Unpin + Send + 'static) -> Self {
        let (outbox, writer) = Self::parts(limits, "the client", None);
        tokio::spawn(writer.run(sink));
        outbox
    }

    /// The outbox, and the writer that its maker has to run. What `direct` writes goes to the same place, which errors
    /// call `to`.
    pub(crate) fn parts(limits: &Limits, to: &'static str, direct: Option<Box<dyn Direct>>) -> (Self, Writer) {
        let soft = limits.unsent_soft_bytes.max(1);
        let shared = Arc::new(Shared {
            soft,
            hard: limits.unsent_hard_bytes.max(soft),
            has_direct: direct.is_some(),
            buffer: Mutex::new(Buffer::new(direct, 4 * soft)),
            to,
            closed: AtomicBool::new(false),
            brimming: AtomicBool::new(false),
            dirty: Notify::new(),
            room: Notify::new(),
            slack: Notify::new(),
            next: tokio::sync::Mutex::new(()),
            ended: Notify::new(),
        });
        (Self { shared: shared.clone() }, Writer::new(shared))
    }

    /// Lets `write` append whole messages, and never waits. They leave with the next [`Self::flush`].
    pub(crate) fn put<T>(&self, write: impl FnOnce(&mut Vec<u8>) -> T) -> Result<T, Closed> {
        let shared = &*self.shared;
        let mut buffer = shared.lock();
        if buffer.is_closed() {
            return Err(Closed);
        }
        let start = buffer.fill.len();
        let value = write(&mut buffer.fill);
        let logged = log::copied(&buffer.fill[start..]);
        if buffer.unsent() >= shared.hard {
            shared.brimming.store(true, Ordering::Relaxed);
        }
        drop(buffer);
        log::sent(logged);
        Ok(value)
    }

    /// Lets `write` append whole messages as soon as there is room for more. They leave by themselves.
    ///
    /// A future that is dropped before it is ready has appended nothing.
    pub(crate) async fn send<T>(&self, write: impl FnOnce(&mut Vec<u8>) -> T) -> Result<T, Closed> {
        // A sender that always finds room would never let others run.
        tokio::task::coop::consume_budget().await;
        let shared = &*self.shared;
        loop {
            let room = {
                let mut buffer = shared.lock();
                if buffer.is_closed() {
                    return Err(Closed);
                }
                if buffer.unsent() < shared.soft {
                    let start = buffer.fill.len();
                    let value = write(&mut buffer.fill);
                    let logged = log::copied(&buffer.fill[start..]);
                    if shared.has_direct && buffer.fill.len() >= EAGER {
                        drop(buffer);
                        self.flush();
                    } else {
                        shared.wake(&mut buffer);
                        drop(buffer);
                    }
                    log::sent(logged);
                    return Ok(value);
                }
                shared.wake(&mut buffer);
                buffer.starved = true;
                // Created under the lock, it misses no notification that follows.
                shared.room.notified()
            };
            room.await;
        }
    }

    /// Sends what was put, as far as that goes without waiting. The rest leaves by itself.
    pub fn flush(&self) {
        let shared = &*self.shared;
        let mut buffer = shared.lock();
        if !shared.has_direct {
            if buffer.unsent() > 0 {
                shared.wake(&mut buffer);
            }
            return;
        }
        for _ in 0..FLUSH_WRITES {
            // Somebody else may be writing: that one goes on until nothing is left.
            let Some(chunk) = buffer.take() else { return };
            drop(buffer);
            let outcome = chunk.try_write();
            buffer = shared.lock();
            if let Written::Blocked = shared.give_back(&mut buffer, chunk, outcome) {
                break;
            }
        }
        shared.wake(&mut buffer);
    }

    /// Whether so much is unsent that no more should be read; see [`Self::below_hard`].
    pub fn is_brimming(&self) -> bool {
        self.shared.brimming.load(Ordering::Relaxed)
    }

    /// How many bytes are unsent.
    pub(crate) fn unsent(&self) -> usize {
        self.shared.lock().unsent()
    }

    /// Waits until it is right to read on: what was read makes answers, and those of the dispatcher do not wait for room.
    pub async fn below_hard(&self) {
        let shared = &*self.shared;
        while self.is_brimming() {
            let slack = {
                let mut buffer = shared.lock();
                // It changes under the lock only, and stays set until there is much room: others wait to be told of that.
                if !self.is_brimming() {
                    return;
                }
                shared.wake(&mut buffer);
                shared.slack.notified()
            };
            slack.await;
        }
    }

    /// The same for one of many, who go on one after the other.
    pub(crate) async fn next_below_hard(&self) {
        if self.is_brimming() {
            let _next = self.shared.next.lock().await;
            self.below_hard().await;
        }
    }

    /// Waits until everything is sent or the peer is gone; then the outbox is closed. A peer that never reads makes
    /// this wait for ever: bound it, and [`Self::close`].
    pub(crate) async fn finish(&self) {
        {
            let mut buffer = self.shared.lock();
            buffer.finishing = true;
            self.shared.wake(&mut buffer);
        }
        self.closed().await;
    }

    /// Drops what is unsent, and everything sent from now on.
    pub(crate) fn close(&self) {
        self.shared.close(&mut self.shared.lock());
    }

    /// That messages were lost, though the peer was there to read them. Told once.
    pub(crate) fn failure(&self) -> Option<Unwritable> {
        let error = self.shared.lock().take_failure()?;
        Some(Unwritable { to: self.shared.to, error })
    }

    /// Whether nothing can be sent any more.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Waits until nothing can be sent any more.
    pub async fn closed(&self) {
        self.shared.closed().await;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        // A panic of an author's `Serialize` poisons the lock; the buffer is whole (see `wire::message`).
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the writer, unless it is awake and has not looked yet.
    fn wake(&self, buffer: &mut Buffer) {
        if !std::mem::replace(&mut buffer.noted, true) {
            self.dirty.notify_one();
        }
    }

    fn give_back(&self, buffer: &mut Buffer, chunk: buffer::Chunk, outcome: io::Result<usize>) -> Written {
        let written = buffer.give_back(chunk, outcome);
        if let Written::Gone = written {
            self.close(buffer);
        }
        let unsent = buffer.unsent();
        if buffer.starved && unsent <= self.soft / 2 {
            buffer.starved = false;
            self.room.notify_waiters();
        }
        if unsent <= self.hard / 2 && self.brimming.swap(false, Ordering::Relaxed) {
            self.slack.notify_waiters();
        }
        if buffer.finishing {
            self.wake(buffer);
        }
        written
    }

    fn fail(&self, error: io::Error) {
        let mut buffer = self.lock();
        buffer.fail(error);
        self.close(&mut buffer);
    }

    fn close(&self, buffer: &mut Buffer) {
        buffer.close();
        self.closed.store(true, Ordering::Release);
        self.brimming.store(false, Ordering::Relaxed);
        for waiting in [&self.room, &self.slack, &self.ended] {
            waiting.notify_waiters();
        }
        self.dirty.notify_one();
    }

    async fn closed(&self) {
        let ended = {
            let buffer = self.lock();
            if buffer.is_closed() {
                return;
            }
            self.ended.notified()
        };
        ended.await;
    }
}

#[cfg(test)]
mod tests;
