//! The client's messages on their way out, and those of which the server has not said that it has read them.

use std::{collections::VecDeque, sync::Arc};

use futures_util::{SinkExt, stream::SplitSink};
use tokio::{
    sync::MutexGuard,
    time::{Duration, sleep},
};
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};

use super::{
    connect::Socket,
    link::{Ended, Link},
};
use crate::{
    conversation::Messages,
    message::Message,
    open::Leaving,
    shared::{Line, lost, unanswered},
};

/// After this time of silence, a ping asks whether the server is there.
const PING: Duration = Duration::from_secs(15);

pub(super) struct Outgoing<'c> {
    messages: MutexGuard<'c, Messages>,
    /// No message comes any more.
    is_done: bool,
    /// The message that leaves next.
    next: Option<(Leaving, Message)>,
    /// Messages that are to be sent again, with their places.
    again: VecDeque<(u64, Message)>,
}

impl<'c> Outgoing<'c> {
    pub(super) fn new(messages: MutexGuard<'c, Messages>) -> Self {
        Self { messages, is_done: false, next: None, again: VecDeque::new() }
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
                None if self.next.is_some() => self.take_next(link).await,
                None => tokio::select! {
                    message = self.messages.next(), if has_room && !self.is_done => {
                        self.is_done = message.is_none();
                        self.next = message.and_then(|message| Some((link.open().leaves(&message)?, message)));
                        continue;
                    }
                    () = link.room.notified(), if !has_room => continue,
                    () = sleep(PING) => None,
                },
            };
            let number = match message {
                Some((place, message)) => {
                    let text = Utf8Bytes::try_from(message.bytes.clone()).expect("the client writes UTF-8");
                    let number = link.unread().push(place, message);
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

    /// The next message, as soon as its session is there.
    async fn take_next(&mut self, link: &Link) -> Option<(u64, Message)> {
        let (leaving, message) = self.next.as_ref()?;
        if let Some(session) = leaving.session.as_deref().filter(|_| !message.is_own) {
            link.open().resumed(session).await;
        }
        // A frame that is written may arrive.
        link.open().sends(leaving.number);
        self.next.take().map(|(leaving, message)| (leaving.number, message))
    }

    /// The WebSocket has come back: decides what is sent again.
    pub(super) fn comes_back(&mut self, link: &Arc<Link>) {
        let messages = link.unread().take();
        let mut later = std::mem::take(&mut self.again);
        for (number, message) in messages {
            if message.is_repeatable() {
                self.again.push_back((number, message));
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
    if let Some(answer) = unanswered(link.open(), message, bound, why, heard).await {
        link.conversation.hand_in(Line::Whole(answer));
    }
}
