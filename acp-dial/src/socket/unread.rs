//! The messages of which the server has not said that it has read them.

use std::collections::VecDeque;

use crate::message::Message;

/// Messages that the server may not have read, with the number of the ping behind each.
#[derive(Default)]
pub(super) struct Unread {
    messages: VecDeque<(u64, Message)>,
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

    /// Takes all messages out. Numbers go on, because the pong of an earlier ping says nothing of a later one.
    pub(super) fn take(&mut self) -> impl Iterator<Item = Message> + use<> {
        self.bytes = 0;
        std::mem::take(&mut self.messages).into_iter().map(|(_, message)| message)
    }

    pub(super) fn push(&mut self, message: Message) -> u64 {
        self.last += 1;
        self.bytes += message.bytes.len();
        self.messages.push_back((self.last, message));
        self.last
    }

    /// The server has read all up to this ping.
    pub(super) fn read_to(&mut self, ping: u64) {
        while let Some((number, message)) = self.messages.front()
            && *number <= ping
        {
            self.bytes -= message.bytes.len();
            self.messages.pop_front();
        }
    }
}
