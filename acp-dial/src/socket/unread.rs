//! The messages of which the server has not said that it has read them.

use std::collections::VecDeque;

use crate::message::Message;

/// A message behind which a ping was sent.
struct Sent {
    ping: u64,
    message: Message,
    /// Its place among all that leave.
    number: u64,
}

/// Messages that the server may not have read, with the number of the ping behind each.
#[derive(Default)]
pub(super) struct Unread {
    messages: VecDeque<Sent>,
    bytes: usize,
    last: u64,
}

impl Unread {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of the last ping.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// Takes all messages out, with their places. Pings go on, because the pong of an earlier one says nothing of a later one.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (u64, Message)> + use<> {
        self.bytes = 0;
        std::mem::take(&mut self.messages).into_iter().map(|sent| (sent.number, sent.message))
    }

    /// Returns the number of the ping behind the message.
    pub(super) fn push(&mut self, number: u64, message: Message) -> u64 {
        self.last += 1;
        self.bytes += message.bytes.len();
        self.messages.push_back(Sent { ping: self.last, message, number });
        self.last
    }

    /// The server has read all up to this ping.
    pub(super) fn read_to(&mut self, ping: u64) {
        while let Some(sent) = self.messages.front()
            && sent.ping <= ping
        {
            self.bytes -= sent.message.bytes.len();
            self.messages.pop_front();
        }
    }
}
