//! The output of a connection: one bounded buffer. Every message is serialised into the buffer once, and the buffer is
//! written in large pieces. `buffer` contains the bytes. `writer` sends the bytes that the senders did not send
//! themselves.
//!
//! An outbox with several streams has no writer. Each serialised message goes at once to its `stream` (see `address`
//! and `routes`), and waits there for the transport.
//!
//! Two bounds limit the memory while the peer does not read. Above the soft bound, turns wait before they add to the
//! buffer. Answers do not wait, so a cancel is still read and answered while the peer does not read. Above the hard
//! bound, the dispatcher stops reading, because its own answers cannot wait. Running handlers then wait before they go
//! on and before they answer. So a peer that floods the agent without reading cannot fill the memory: at most one
//! answer per thread exceeds the hard bound. Each stream has these bounds for itself.
//!
//! Each message has an `Address`: a topic that the role chose (an agent's topics are the ids of sessions), the stream of
//! its request, or the connection. If a handler without a session asks the client, the request goes to the connection's
//! stream. A byte transport ignores addresses. A routed outbox (`Outbox::routed`) keeps nothing. It hands each message
//! over as it is written, under the same lock, to the `OutboxStream` that the transport has for the address. There the
//! message waits for its reader. Each stream has its own bounds, and only the senders of a full stream wait. There is no
//! common bound, because unread streams would fill it. A program with one stream has no code for this (`StreamSender`,
//! `Routing`).
//!
//! Hooks (`hooks`) stand in the same place. The outbox of a hooked transport is a third kind of `Routing`
//! (`rpc/outbox/hooked.rs`): it keeps nothing, and hands each message to its hooks and then to the transport's own
//! outbox, under the lock under which it was written. So order, bounds, streams and end are those of the inner outbox,
//! and a program without hooks has no code of them. On the way in, the hooks stand between the source and the dispatcher.
//!
//! # What holds, with its tests
//!
//! - *Unsent bytes are bounded*: the answers of handlers
//!   (`hostile::unread::answers_that_nobody_reads_are_not_made_on_many_threads`), those of turns
//!   (`streams::the_answer_of_a_turn_waits_for_room_in_its_stream`), and messages that cannot wait, which close their
//!   stream (`peer::rpc::outbox::stream_tests::what_waits_for_nothing_closes_a_stream_that_nobody_reads`).
//! - *Hooks change none of this* (`wire::message_hooks::an_answer_of_a_hook_has_its_place_among_the_answers`,
//!   `wire::message_hooks::a_client_that_does_not_read_stops_the_agent_behind_hooks`,
//!   `streams::hooks::hooks_stand_on_each_stream_and_messages_pass_them_once`).
//! - *Updates precede their answer* (`wire::turns::every_update_of_a_turn_precedes_its_answer_on_many_threads`).
//! - *No stream stops another one* (`streams::a_session_that_nobody_reads_holds_up_no_other`), and each has a bound
//!   (`streams::answers_that_nobody_reads_stop_the_requests_of_their_stream_only`).
//! - *A closed stream ends waits* (`streams::a_stream_that_is_closed_ends_the_turns_that_wait_for_it`).
//! - *The end comes last* (`streams::the_end_of_the_connection_comes_behind_the_last_message_of_each_stream`).

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::AsyncWrite;
use tokio::sync::{Notify, futures::Notified};

pub use self::address::Address;
pub(super) use self::address::StreamSender;
use self::buffer::{Buffer, Written};
pub use self::filter::Filter;
use self::hard_bound::HardBound;
use self::routes::{Routes, Routing, Write};
pub use self::stream::{OutboxStream, StreamReader};
use self::writer::Writer;
use crate::wire::error::Error;
use crate::{rpc::Limits, wire::log};

mod address;
mod buffer;
mod filter;
mod group;
mod hard_bound;
mod hooked;
mod routes;
mod stream;
mod writer;

/// From this size on, a sender writes its messages itself. Smaller messages wait for the next idle moment.
const EAGER: usize = 32 * 1024;

/// The limit of writes in one flush. Without it, a peer that reads as fast as we write would keep the dispatcher busy.
const FLUSH_WRITES: usize = 16;

/// Writes without waiting. A task that has just finished some work uses this, which saves the wake-up of the writer.
pub(crate) trait Direct: Send {
    /// Writes a part of `bytes`, or fails with [`io::ErrorKind::WouldBlock`].
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize>;
}

/// The error when messages cannot be sent any more.
#[doc(hidden)] // handlers get an `Error` instead
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    /// The peer is gone, or the connection has ended.
    #[error("the connection is closed")]
    Connection,
    /// The transport has closed the message's stream, or has no stream for the message. Other streams go on.
    #[error("the stream of the connection that this belongs to is closed")]
    Stream,
}

#[doc(hidden)]
impl From<Closed> for Error {
    fn from(closed: Closed) -> Self {
        Self::internal_error(closed.to_string())
    }
}

/// The name of the receiver in texts for people, if a transport has no other name for it.
const OTHER_SIDE: &str = "the other side";

/// The output took no more bytes, and not because of the peer: for example, a disk is full.
#[derive(Debug, thiserror::Error)]
#[error("could not write to {to}: {error}; what was unsent is lost")]
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

/// The sending end of a connection. A [`Transport`](crate::transport::Transport) opens it. Clones are the same outbox.
#[derive(Clone)]
pub struct Outbox {
    shared: Arc<Shared>,
}

struct Shared {
    buffer: Mutex<Buffer>,
    /// The name of the receiver, for people.
    to: &'static str,
    soft: usize,
    hard: usize,
    has_direct: bool,
    /// Only set for an outbox with several streams. Its buffer then stays empty between messages.
    routes: Option<Box<dyn Routing>>,
    closed: AtomicBool,
    hard_bound: HardBound,
    /// Tells the writer that there is something to write.
    dirty: Notify,
    /// Tells senders that the unsent bytes fell well below the soft bound.
    room: Notify,
    ended: Notify,
}

impl Outbox {
    /// Sends over `sink`, from a task that this function spawns.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime.
    pub fn new(limits: &Limits, sink: impl AsyncWrite + Unpin + Send + 'static) -> Self {
        let (outbox, writer) = Self::parts(limits, OTHER_SIDE, None);
        tokio::spawn(writer.run(sink));
        outbox
    }

    /// Sends over several streams. A message of a topic goes to the stream that `topics` returns for the topic. Any
    /// other message goes to the connection's stream. But an answer goes to the stream of its request, see
    /// [`Receive::frame_from`](crate::rpc::Receive::frame_from).
    ///
    /// A topic is a text that stands for a part of the conversation. `topics` is called for each message, so it must
    /// not wait. The streams that it returns are siblings of `connection`. If a topic has no stream, nobody wants to
    /// read it: its message is dropped, and a sender that waits gets an error.
    ///
    /// ```
    /// use std::{collections::HashMap, sync::{Arc, Mutex}};
    ///
    /// use acp_peer::transport::{Limits, Outbox, OutboxStream};
    ///
    /// let connection = OutboxStream::new(&Limits::new());
    /// // The transport reads these streams, closes them and removes them.
    /// let streams = Arc::new(Mutex::new(HashMap::<String, OutboxStream>::new()));
    /// let outbox = Outbox::routed(connection.clone(), {
    ///     let streams = streams.clone();
    ///     move |topic| {
    ///         let mut streams = streams.lock().ok()?;
    ///         Some(streams.entry(topic.to_owned()).or_insert_with(|| connection.sibling()).clone())
    ///     }
    /// });
    /// # let _ = outbox;
    /// ```
    pub fn routed(
        connection: OutboxStream,
        topics: impl Fn(&str) -> Option<OutboxStream> + Send + Sync + 'static,
    ) -> Self {
        // Here, the limits bound the memory that the buffer keeps for the next message.
        let limits = connection.group().limits();
        let routes = Box::new(Routes { connection, topics });
        Self { shared: Shared::new(&limits, OTHER_SIDE, None, Some(routes)) }
    }

    /// The outbox, and the writer that the caller must run. `direct` writes to the same place. Errors call this place
    /// `to`.
    pub(crate) fn parts(limits: &Limits, to: &'static str, direct: Option<Box<dyn Direct>>) -> (Self, Writer) {
        let shared = Shared::new(limits, to, direct, None);
        (Self { shared: shared.clone() }, Writer::new(shared))
    }

    /// Lets `write` append a message, or none. This function never waits. The message leaves with the next
    /// [`Self::flush`].
    // This function is not generic. If it were, it would be compiled again for each kind of message.
    pub fn put(&self, to: Address<'_>, write: &mut dyn FnMut(&mut Vec<u8>)) -> Result<(), Closed> {
        let shared = &*self.shared;
        let way = self.way(to)?;
        let mut buffer = shared.lock();
        if buffer.is_closed() {
            return Err(Closed::Connection);
        }
        let start = buffer.fill.len();
        write(&mut buffer.fill);
        let logged = log::copied(&buffer.fill[start..]);
        if let Some(way) = &way {
            routes::deliver(&mut buffer, &**way)?;
        } else if buffer.unsent() >= shared.hard {
            shared.hard_bound.reach();
        }
        drop(buffer);
        log::sent(logged);
        Ok(())
    }

    /// Waits for room, then lets `write` append a message, or none. The message leaves without a flush.
    ///
    /// If the future is dropped before it is ready, nothing was appended.
    pub async fn send(&self, to: Address<'_>, write: Write<'_>) -> Result<(), Closed> {
        // If there is always room, this sender would never let other tasks run.
        tokio::task::coop::consume_budget().await;
        let shared = &*self.shared;
        if let Some(routes) = &shared.routes {
            // Boxed, so that an outbox with a byte stream needs no memory for it.
            return routes.send(shared, to, write).await;
        }
        loop {
            let room = {
                let mut buffer = shared.lock();
                if buffer.is_closed() {
                    return Err(Closed::Connection);
                }
                if buffer.unsent() < shared.soft {
                    let start = buffer.fill.len();
                    write(&mut buffer.fill);
                    let logged = log::copied(&buffer.fill[start..]);
                    if shared.has_direct && buffer.fill.len() >= EAGER {
                        drop(buffer);
                        self.flush();
                    } else {
                        shared.wake(&mut buffer);
                        drop(buffer);
                    }
                    log::sent(logged);
                    return Ok(());
                }
                shared.starve(&mut buffer)
            };
            room.await;
        }
    }

    /// The stream of a message; `None` if the outbox has only one.
    pub(crate) fn way(&self, to: Address<'_>) -> Result<Option<Arc<dyn StreamSender>>, Closed> {
        self.shared.routes.as_ref().map(|routes| routes.way(to)).transpose()
    }

    /// Sends the appended messages as far as possible without waiting. The rest is sent later without another call.
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
            // If another task is writing, it goes on until no bytes are left.
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

    /// Whether the unsent bytes have reached the hard bound, so that reading must stop; see [`Self::below_hard`]. With
    /// several streams, only the connection's stream counts.
    pub fn is_at_hard_bound(&self) -> bool {
        self.shared.hard_bound().is_at_hard_bound()
    }

    /// Whether the unsent bytes are below the soft bound. With several streams: whether the unsent bytes of the
    /// connection's stream are below the hard bound.
    pub(crate) fn has_room(&self) -> bool {
        self.shared.lock().unsent() < self.shared.soft && !self.is_at_hard_bound()
    }

    /// The number of unsent bytes.
    pub(crate) fn unsent(&self) -> usize {
        self.shared.lock().unsent()
    }

    /// Waits until reading may go on. Without this wait, each message would add answers, because the dispatcher's
    /// answers do not wait for room.
    pub async fn below_hard(&self) {
        self.shared.hard_bound().wait(&|| self.shared.hurry()).await;
    }

    /// As [`Self::below_hard`], for one of many waiters. The waiters go on one after the other.
    pub(crate) async fn next_below_hard(&self) {
        self.shared.hard_bound().wait_in_turn(&|| self.shared.hurry()).await;
    }

    /// Waits until all messages are sent or the peer is gone. Then the outbox is closed. If the peer never reads, this
    /// wait does not end: use a timeout.
    pub async fn finish(&self) {
        if let Some(routes) = &self.shared.routes {
            routes.finish().await;
            return self.close();
        }
        {
            let mut buffer = self.shared.lock();
            buffer.finishing = true;
            self.shared.wake(&mut buffer);
        }
        self.closed().await;
    }

    /// Drops the unsent bytes, and all later messages.
    pub(crate) fn close(&self) {
        self.shared.close(&mut self.shared.lock());
    }

    /// The error if messages were lost although the peer was there to read them. Only the first call returns it.
    pub(crate) fn failure(&self) -> Option<Unwritable> {
        if let Some(routes) = &self.shared.routes {
            return routes.failure();
        }
        let error = self.shared.lock().take_failure()?;
        Some(Unwritable { to: self.shared.to, error })
    }

    /// The name of the receiver, for people.
    pub(crate) fn to(&self) -> &'static str {
        self.shared.to
    }

    /// Whether the outbox is closed, so that messages cannot be sent any more.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Waits until the outbox is closed.
    pub async fn closed(&self) {
        self.shared.closed().await;
    }
}

impl Shared {
    fn new(
        limits: &Limits,
        to: &'static str,
        direct: Option<Box<dyn Direct>>,
        routes: Option<Box<dyn Routing>>,
    ) -> Arc<Self> {
        let soft = limits.unsent_soft_bytes.max(1);
        Arc::new(Self {
            soft,
            hard: limits.unsent_hard_bytes.max(soft),
            has_direct: direct.is_some(),
            buffer: Mutex::new(Buffer::new(direct, soft.saturating_mul(4))),
            to,
            routes,
            closed: AtomicBool::new(false),
            hard_bound: HardBound::default(),
            dirty: Notify::new(),
            room: Notify::new(),
            ended: Notify::new(),
        })
    }

    /// The hard bound for answers that have no stream of their own.
    fn hard_bound(&self) -> &HardBound {
        self.routes.as_ref().map_or(&self.hard_bound, |routes| routes.hard_bound())
    }

    fn hurry(&self) {
        self.wake(&mut self.lock());
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        // If an author's `Serialize` panics, it poisons the lock, but the buffer is whole (see `wire::message`).
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event after which a sender that has no room must check again. It is made under the lock, so it misses no later
    /// notification.
    fn starve(&self, buffer: &mut Buffer) -> Notified<'_> {
        self.wake(buffer);
        buffer.starved = true;
        self.room.notified()
    }

    /// Wakes the writer. Does nothing if the writer was woken but has not looked at the buffer yet.
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
        if unsent <= self.hard / 2 {
            self.hard_bound.release();
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
        self.hard_bound.release();
        for waiting in [&self.room, &self.ended] {
            waiting.notify_waiters();
        }
        self.dirty.notify_one();
        if let Some(routes) = &self.routes {
            routes.close();
        }
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
mod stream_tests;
#[cfg(test)]
mod tests;
