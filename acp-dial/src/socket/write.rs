//! The client's messages on their way out, and those of which the server has not said that it has read them.

use std::{collections::VecDeque, sync::Arc};

use acp_peer::transport::StreamReader;
use futures_util::{SinkExt, stream::SplitSink};
use tokio::time::{Duration, sleep};
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};

use super::{
    connect::Socket,
    link::{Ended, Link},
};
use crate::{
    message::Message,
    shared::{lost, unanswered},
};

/// After this time of silence, a ping asks whether the server is there.
const PING: Duration = Duration::from_secs(15);

pub(super) struct Outgoing {
    messages: StreamReader,
    /// No message comes any more.
    is_done: bool,
    /// Messages that are to be sent again.
    again: VecDeque<Message>,
}

impl Outgoing {
    pub(super) fn new(messages: StreamReader) -> Self {
        Self { messages, is_done: false, again: VecDeque::new() }
    }

    /// Writes until the WebSocket is lost.
    pub(super) async fn write(&mut self, link: &Arc<Link>, mut sink: SplitSink<Socket, Frame>) -> Ended {
        loop {
            // While the server reads nothing, no more is kept for it.
            let has_room = {
                let unread = link.unread();
                unread.is_empty() || unread.bytes() < link.net.unsent
            };
            let message = match self.again.pop_front() {
                Some(message) => Some(message),
                None => tokio::select! {
                    message = self.messages.next(), if has_room && !self.is_done => {
                        self.is_done = message.is_none();
                        let message = message.and_then(Message::read);
                        message.inspect(|message| drop(link.open.leaves(message)))
                    }
                    () = link.room.notified(), if !has_room => continue,
                    () = sleep(PING) => None,
                },
            };
            let number = match message {
                Some(message) => {
                    let text = Utf8Bytes::try_from(message.bytes.clone()).expect("the client writes UTF-8");
                    let number = link.unread().push(message);
                    if let Err(error) = sink.feed(Frame::Text(text)).await {
                        return Ended::Lost(error.to_string());
                    }
                    number
                }
                None => link.unread().last(),
            };
            if let Err(error) = sink.send(Frame::Ping(number.to_be_bytes().to_vec().into())).await {
                return Ended::Lost(error.to_string());
            }
        }
    }

    /// The WebSocket has come back: decides what is sent again.
    pub(super) fn comes_back(&mut self, link: &Arc<Link>) {
        let messages = link.unread().take();
        let mut later = std::mem::take(&mut self.again);
        for message in messages {
            if message.is_repeatable() {
                self.again.push_back(message);
            } else if message.asks().is_some() {
                let doubting = link.clone();
                link.end.spawn(async move { doubt(&doubting, &message).await });
            } else {
                lost(&message, "the WebSocket was lost behind it");
            }
        }
        self.again.append(&mut later);
    }
}

/// Waits for the answer to a request that may have been delivered, as long as its session is heard of.
async fn doubt(link: &Link, message: &Message) {
    let heard = || link.places().heard(&message.session);
    let bound = link.net.options.doubt_timeout;
    let why = "the WebSocket was lost behind it";
    if let Some(answer) = unanswered(&link.open, message, bound, why, heard).await {
        link.answer(answer).await;
    }
}
