//! Which stream each message of a routed outbox goes to.

use super::{Address, Closed, OutboxStream, buffer::Buffer};

/// The stream that a transport has for a topic.
type Topics = dyn Fn(&str) -> Option<OutboxStream> + Send + Sync;

/// The streams of a routed outbox.
pub(super) struct Routes {
    pub(super) connection: OutboxStream,
    pub(super) topics: Box<Topics>,
}

impl Routes {
    /// Asks the transport, so no lock is held here.
    pub(super) fn stream(&self, to: Address<'_>) -> Result<OutboxStream, Closed> {
        match to {
            Address::Connection | Address::Stream(None) => Ok(self.connection.clone()),
            Address::Stream(Some(stream)) => Ok(stream.clone()),
            Address::Topic(topic) => (self.topics)(topic).ok_or(Closed::Stream),
        }
    }
}

/// Hands over the message that was written, if one was.
pub(super) fn deliver(buffer: &mut Buffer, stream: &OutboxStream) -> Result<(), Closed> {
    let written = &mut buffer.fill;
    // The end of its line is for streams of bytes.
    if written.last() == Some(&b'\n') {
        written.pop();
    }
    if written.is_empty() {
        return Ok(());
    }
    debug_assert!(!written.contains(&b'\n'), "one message is written at a time");
    let message = if written.capacity() <= buffer.keep { written.as_slice().to_vec() } else { std::mem::take(written) };
    written.clear();
    stream.lane().push(message)
}
