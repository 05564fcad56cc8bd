//! The client's messages on their way out: those of one session leave in order, one after the other is accepted. A session whose server
//! takes nothing holds up no other.

use std::{collections::HashMap, sync::Arc};

use acp_peer::Error;
use tokio::{
    sync::oneshot::{self, error::TryRecvError},
    task::JoinSet,
};

use super::{
    LAST,
    link::Link,
    post::{Fate, post},
    stream,
};
use crate::{
    message::Message,
    open::Leaving,
    shared::{Line, lost, unanswered},
};

/// So many messages are on their way at once.
const ON_THEIR_WAY: usize = 32;

/// Sends messages until there are no more, and waits until all are accepted. Or until the server does not know the connection any more: then
/// those that are on their way get some time to arrive.
pub(super) async fn send(link: Arc<Link>) {
    let mut messages = link.conversation.messages.lock().await;
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
            () = link.end.gone.cancelled() => break,
            () = link.end.over.cancelled() => break,
        };
        let Some(message) = message else { break };
        let Some(leaving) = link.open().leaves(&message) else { continue };
        let (before, behind) = lanes.join(leaving.session.as_deref());
        let (link, length) = (link.clone(), message.bytes.len());
        bytes += length;
        on_way.spawn(async move {
            // The one before it in its lane is accepted, or has failed.
            let _ = before.await;
            one(&link, message, leaving).await;
            drop(behind);
            length
        });
    }
    let arriving = async { while on_way.join_next().await.is_some() {} };
    tokio::select! {
        () = arriving => {}
        () = async {
            link.end.gone.cancelled().await;
            tokio::time::sleep(LAST).await;
        } => {}
        () = link.end.over.cancelled() => {}
    }
    on_way.shutdown().await;
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

async fn one(link: &Arc<Link>, message: Message, leaving: Leaving) {
    let session = leaving.session.as_deref();
    let ready = async {
        if let Some(session) = session {
            if !message.is_own {
                link.open().resumed(session).await;
            }
            // A server may say what it has to say about a session over the stream of the session alone: a history, and also that there is no
            // such session. What it says before anybody listens may be lost.
            if message.asks().is_some() {
                stream::open(link, session, false);
            }
            if let Some(stream) = link.streams.of(session) {
                stream.tried().await;
            }
        }
        link.streams.own().tried().await;
    };
    if link.end.unless_gone(ready).await.is_none() {
        return;
    }
    match post(link, &message, &leaving).await {
        Fate::Accepted | Fate::Later => {}
        Fate::Over(lost) => link.end.fail(lost),
        Fate::Undelivered(why) => {
            link.open().sends(leaving.number);
            if !answer(link, &message, &why) && !message.is_own {
                lost(&message, &why);
            }
            session.iter().for_each(|session| link.close_unknown(session));
        }
        Fate::InDoubt(why) if message.asks().is_some() => {
            let (link, session) = (link.clone(), leaving.session);
            link.clone().end.spawn(async move { doubt(&link, &message, session, &why).await });
        }
        Fate::InDoubt(why) => lost(&message, &why),
    }
}

/// Answers a request in the place of the agent. Returns false if nobody waits for an answer.
fn answer(link: &Link, message: &Message, why: &str) -> bool {
    let Some(key) = message.asks() else { return false };
    // The agent may have answered meanwhile.
    if link.open().forget(&key)
        && let Some(answer) = message.failed(&Error::internal_error(why.to_owned()))
    {
        link.conversation.hand_in(Line::Whole(answer));
    }
    true
}

/// Waits for the answer to a request that may have been delivered.
async fn doubt(link: &Link, message: &Message, session: Option<Box<str>>, why: &str) {
    let stream = session.as_ref().and_then(|session| link.streams.of(session));
    let heard = || stream.as_ref().map(|stream| stream.heard());
    let bound = link.net.options.doubt_timeout;
    if let Some(answer) = unanswered(link.open(), message, bound, why, heard).await {
        link.conversation.hand_in(Line::Whole(answer));
    }
    session.iter().for_each(|session| link.close_unknown(session));
}
