//! What an endpoint has done, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What an [`Endpoint`](crate::Endpoint) has done since it was made, and what it does now: [`Endpoint::stats`](crate::Endpoint::stats).
/// Numbers that only grow say so in their docs; the others go up and down.
///
/// The docs of the crate have the names that OpenTelemetry's conventions would give them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The connections that there are.
    pub connections: u64,
    /// The event streams and WebSockets that have a reader.
    pub readers: u64,
    /// How many connections have begun. It only grows.
    pub begun: u64,
    /// How many connections have ended because nobody read them for
    /// [`HttpOptions::detached_timeout`](field@crate::HttpOptions::detached_timeout). It only grows.
    pub abandoned: u64,
    /// How many messages clients have sent. It only grows.
    pub messages_received: u64,
    /// The bytes of these messages. It only grows.
    pub bytes_received: u64,
    /// How many messages have left, without those that were said again. It only grows.
    pub messages_sent: u64,
    /// The bytes of these messages, without what stands around them. It only grows.
    pub bytes_sent: u64,
    /// How many readers have come back, and have missed nothing. It only grows.
    pub resumed: u64,
    /// How many readers have come back too late, or with a cursor of another stream. It only grows.
    pub not_resumed: u64,
    /// How many readers were let go, because they took nothing for
    /// [`HttpOptions::stall_timeout`](field@crate::HttpOptions::stall_timeout). It only grows.
    pub stalled: u64,
    /// How many requests were refused with a status of 400 or more. It only grows.
    pub refused: u64,
}

/// One of the numbers. Nothing else is ordered by it.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn take_one(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) readers: Counter,
    pub(crate) begun: Counter,
    pub(crate) abandoned: Counter,
    messages_received: Counter,
    bytes_received: Counter,
    messages_sent: Counter,
    bytes_sent: Counter,
    pub(crate) resumed: Counter,
    pub(crate) not_resumed: Counter,
    pub(crate) stalled: Counter,
    pub(crate) refused: Counter,
}

impl Counters {
    pub(crate) fn received(&self, bytes: usize) {
        self.messages_received.add(1);
        self.bytes_received.add(bytes as u64);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.messages_sent.add(1);
        self.bytes_sent.add(bytes as u64);
    }

    /// The numbers of an endpoint that has so many connections now.
    pub(crate) fn stats(&self, connections: usize) -> Stats {
        let Self {
            readers,
            begun,
            abandoned,
            messages_received,
            bytes_received,
            messages_sent,
            bytes_sent,
            resumed,
            not_resumed,
            stalled,
            refused,
        } = self;
        Stats {
            connections: connections as u64,
            readers: readers.get(),
            begun: begun.get(),
            abandoned: abandoned.get(),
            messages_received: messages_received.get(),
            bytes_received: bytes_received.get(),
            messages_sent: messages_sent.get(),
            bytes_sent: bytes_sent.get(),
            resumed: resumed.get(),
            not_resumed: not_resumed.get(),
            stalled: stalled.get(),
            refused: refused.get(),
        }
    }
}
