//! The client's messages on their way out: those of one session leave in order, one after the other is accepted. A session whose server
//! takes nothing holds up no other.

use std::{collections::HashMap, sync::Arc};

use acp_peer::transport::StreamReader;
use bytes::Bytes;
use tokio::{
    sync::oneshot::{self, error::TryRecvError},
    task::JoinSet,
};

use super::{
    link::Link,
    post::{Fate, post},
    stream,
};
use crate::{
    message::Message,
    names::REPLAY,
    shared::{Line, lost, unanswered},
};

/// So many messages are on their way at once.
const ON_THEIR_WAY: usize = 32;

/// Sends messages until there are no more, and waits until all are accepted.
pub(super) async fn send(link: Arc<Link>, mut messages: StreamReader) {
    let mut lanes = Lanes::default();
    let mut on_way = JoinSet::new();
    let mut bytes = 0;
    loop {
        let message = tokio::select! {
            Some(sent) = on_way.join_next() => {
                bytes -= sent.unwrap_or_default();
                continue;
            }
            message = messages.next(), if on_way.is_empty() || on_way.len() < ON_THEIR_WAY && bytes < link.net.unsent => message,
            () = link.end.over.cancelled() => return,
        };
        let Some(message) = message else { break };
        let Some(message) = Message::read(message) else { continue };
        let session = link.open.leaves(&message);
        let (before, behind) = lanes.join(session.as_deref());
        let (link, length) = (link.clone(), message.bytes.len());
        bytes += length;
        on_way.spawn(async move {
            // The one before it in its lane is accepted, or has failed.
            let _ = before.await;
            one(&link, message, session.as_deref()).await;
            drop(behind);
            length
        });
    }
    while on_way.join_next().await.is_some() {}
}

/// The last message of each session that may be on its way. Its end drops the sender.
#[derive(Default)]
struct Lanes(HashMap<Box<str>, oneshot::Receiver<()>>);

impl Lanes {
    /// What the next message of a session waits for, and what its end drops. Messages of the connection are a lane, too.
    fn join(&mut self, session: Option<&str>) -> (oneshot::Receiver<()>, oneshot::Sender<()>) {
        let Self(lanes) = self;
        if lanes.len() > ON_THEIR_WAY {
            lanes.retain(|_, last| last.try_recv() == Err(TryRecvError::Empty));
        }
        let (behind, last) = oneshot::channel();
        let before = lanes.insert(session.unwrap_or_default().into(), last);
        // A new lane has nobody before: a dropped sender.
        (before.unwrap_or_else(|| oneshot::channel().1), behind)
    }
}

async fn one(link: &Arc<Link>, message: Message, session: Option<&str>) {
    if let Some(session) = session {
        // What a server says of a session before anybody listens may be lost.
        if REPLAY.contains(&message.method()) {
            stream::open(link, session, false);
        }
        if let Some(stream) = link.streams.of(session) {
            stream.tried().await;
        }
    }
    link.streams.own().tried().await;
    match post(link, &message, session).await {
        Fate::Accepted => {}
        Fate::Over(why) => link.end.fail(why),
        Fate::Undelivered(why) => {
            if !answer(link, &message, &why).await {
                lost(&message, &why);
            }
        }
        Fate::InDoubt(why) if message.asks().is_some() => {
            let (link, session) = (link.clone(), session.map(Box::from));
            link.clone().end.spawn(async move { doubt(&link, &message, session, &why).await });
        }
        Fate::InDoubt(why) => lost(&message, &why),
    }
}

/// Answers a request in the place of the agent. Returns false if nobody waits for an answer.
async fn answer(link: &Link, message: &Message, why: &str) -> bool {
    let Some(key) = message.asks() else { return false };
    // The agent may have answered meanwhile.
    if link.open.forget(&key) {
        let answer: Option<Bytes> = message.failed(why);
        link.hand_in(answer.map(Line::Whole).into_iter().collect()).await;
    }
    true
}

/// Waits for the answer to a request that may have been delivered.
async fn doubt(link: &Link, message: &Message, session: Option<Box<str>>, why: &str) {
    let stream = session.and_then(|session| link.streams.of(&session));
    let heard = || stream.as_ref().map(|stream| stream.heard());
    let bound = link.net.options.doubt_timeout;
    if let Some(answer) = unanswered(&link.open, message, bound, why, heard).await {
        link.hand_in(vec![Line::Whole(answer)]).await;
    }
}
