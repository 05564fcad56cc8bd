//! What goes on when a connection is lost: the messages of the client, the open requests, and the answers of this side.

use std::collections::VecDeque;

use acp_peer::transport::StreamReader;
use tokio::sync::{Mutex, mpsc};

use crate::{message::Message, open::Open, shared::Line};

pub(crate) struct Conversation {
    pub(crate) open: Open,
    /// The connection that sends has the lock.
    pub(crate) messages: Mutex<Messages>,
    answers: mpsc::UnboundedSender<Line>,
}

/// Answers of this side, and those that have waited.
pub(crate) type Answers = mpsc::UnboundedReceiver<Line>;

/// The messages of the client, behind those with which a connection begins.
pub(crate) struct Messages {
    first: VecDeque<Message>,
    client: StreamReader,
}

impl Conversation {
    pub(crate) fn new(client: StreamReader) -> (Self, Answers) {
        let (answers, answered) = mpsc::unbounded_channel();
        let messages = Mutex::new(Messages { first: VecDeque::new(), client });
        (Self { open: Open::default(), messages, answers }, answered)
    }

    /// Hands a message to the client. There is at most one for each open request, so their number has a bound.
    pub(crate) fn hand_in(&self, line: Line) {
        // Nobody takes it when the conversation is over.
        let _ = self.answers.send(line);
    }
}

impl Messages {
    /// The next connection begins with these. Those of the client that an earlier one has not come to are behind them.
    pub(crate) fn begin_with(&mut self, messages: VecDeque<Message>) {
        let left = std::mem::replace(&mut self.first, messages);
        self.first.extend(left.into_iter().filter(|message| !message.is_own));
    }

    /// The next message. `None` if no more come. If the future is dropped, no message is lost.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        if let Some(message) = self.first.pop_front() {
            return Some(message);
        }
        loop {
            if let Some(message) = Message::read(self.client.next().await?) {
                return Some(message);
            }
        }
    }
}
