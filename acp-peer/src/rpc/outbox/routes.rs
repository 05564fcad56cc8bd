//! The streams of an outbox that has several. The code is behind a trait, for the same reason as [`StreamSender`].

use std::{pin::Pin, sync::Arc};

use super::{Address, Closed, OutboxStream, Shared, StreamSender, Unwritable, buffer::Buffer, hard_bound::HardBound};
use crate::wire::log;

/// Appends a message, or none. It is called once.
pub(super) type Write<'a> = &'a mut (dyn FnMut(&mut Vec<u8>) + Send);

/// The streams of an outbox that has several.
pub(super) trait Routing: Send + Sync {
    /// The stream for a message. This function asks the transport, so the caller must hold no lock.
    fn way(&self, to: Address<'_>) -> Result<Arc<dyn StreamSender>, Closed>;

    /// Waits for room in the stream of a message, then lets `write` append the message.
    fn send<'a>(
        &'a self,
        shared: &'a Shared,
        to: Address<'a>,
        write: Write<'a>,
    ) -> Pin<Box<dyn Future<Output = Result<(), Closed>> + Send + 'a>> {
        Box::pin(async move { send_over(shared, &*self.way(to)?, write).await })
    }

    /// The hard bound for answers that have no stream of their own.
    fn hard_bound(&self) -> &HardBound;

    /// Waits until the messages of all streams are read.
    fn finish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    fn close(&self);

    /// See [`Outbox::failure`](super::Outbox::failure).
    fn failure(&self) -> Option<Unwritable> {
        None
    }
}

/// The streams of a routed outbox.
pub(super) struct Routes<T> {
    pub(super) connection: OutboxStream,
    /// The function that returns the transport's stream for a topic.
    pub(super) topics: T,
}

impl<T: Fn(&str) -> Option<OutboxStream> + Send + Sync> Routing for Routes<T> {
    fn way(&self, to: Address<'_>) -> Result<Arc<dyn StreamSender>, Closed> {
        Ok(match to {
            Address::Connection | Address::Stream(None) => self.connection.way(),
            Address::Stream(Some(way)) => way.clone(),
            Address::Topic(topic) => (self.topics)(topic).ok_or(Closed::Stream)?.way(),
        })
    }

    fn hard_bound(&self) -> &HardBound {
        self.connection.hard_bound()
    }

    fn finish(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.connection.group().finish())
    }

    fn close(&self) {
        self.connection.group().close();
    }
}

/// Waits for room in a stream, then lets `write` append the message.
async fn send_over(shared: &Shared, way: &dyn StreamSender, write: Write<'_>) -> Result<(), Closed> {
    loop {
        let room = {
            let mut buffer = shared.lock();
            if buffer.is_closed() {
                return Err(Closed::Connection);
            }
            match way.full()? {
                Some(room) => room,
                None => {
                    write(&mut buffer.fill);
                    let logged = log::copied(&buffer.fill);
                    let delivered = deliver(&mut buffer, way);
                    drop(buffer);
                    log::sent(logged);
                    return delivered;
                }
            }
        };
        room.await;
    }
}

/// Hands the written message over, if there is one. A writer that writes several lines in one call writes several
/// messages.
pub(super) fn deliver(buffer: &mut Buffer, way: &dyn StreamSender) -> Result<(), Closed> {
    let written = &mut buffer.fill;
    // Only byte streams need the line end.
    if written.last() == Some(&b'\n') {
        written.pop();
    }
    if written.is_empty() {
        return Ok(());
    }
    if written.contains(&b'\n') {
        let messages = std::mem::take(written);
        let mut messages = messages.split(|byte| *byte == b'\n').filter(|message| !message.is_empty());
        return messages.try_for_each(|message| way.push(message.to_vec()));
    }
    let message = if written.capacity() <= buffer.keep { written.as_slice().to_vec() } else { std::mem::take(written) };
    written.clear();
    way.push(message)
}
