//! A connection over HTTP: messages leave by POST, and come over the stream of the connection and those of its sessions.

mod begin;
mod link;
mod post;
mod readers;
mod send;
mod stream;
mod streams;

use std::{pin::pin, sync::Arc, time::Duration};

use acp_peer::transport::{Outbox, Receive};

use self::{link::Link, streams::Arrived};
use crate::{
    conversation::{Answers, Conversation},
    net::Net,
    shared::{Line, Lost},
};

/// How long the last messages may take to reach the server.
const CLOSING: Duration = Duration::from_secs(2);

/// After this time of silence, a session's stream has brought all that was said before.
const QUIET: Duration = Duration::from_millis(100);

/// So long an answer waits for the silence of a stream that never falls silent.
const LOUD: Duration = Duration::from_secs(10);

/// How long what is on its way may take when the server does not know the connection any more: what was said before, over its streams, and
/// messages that a balancer may hold for a while. What has not come back then is in doubt.
const LAST: Duration = Duration::from_secs(10);

pub(crate) async fn run<R: Receive>(
    net: Arc<Net>,
    conversation: &Arc<Conversation>,
    answers: &mut Answers,
    receive: &mut R,
    outbox: &Outbox,
) -> Result<(), Lost> {
    let begun = tokio::select! {
        begun = begin::begin(&net, conversation, receive) => begun?,
        () = outbox.closed() => None,
    };
    let Some((connection, answer)) = begun else { return Ok(()) };
    let (link, mut arriving) = Link::new(net, conversation.clone(), connection);
    // Also if this future is dropped, all tasks end.
    let _over = link.end.over.clone().drop_guard();
    stream::begin(&link);
    let sending = tokio::spawn(send::send(link.clone()));
    let goes_on = match answer {
        Some(answer) => answer.hand_over(receive, outbox).await,
        None => true,
    };
    if goes_on {
        let mut ended = pin!(ended(&link));
        loop {
            let arrived = tokio::select! {
                arrived = arriving.recv() => arrived,
                Some(answer) = answers.recv() => {
                    if !answer.hand_over(receive, outbox).await {
                        break;
                    }
                    outbox.flush();
                    continue;
                }
                () = outbox.closed() => break,
                () = &mut ended => {
                    // What was read before the end is handed over.
                    while let Ok(arrived) = arriving.try_recv() {
                        take(&link, arrived, receive, outbox).await;
                    }
                    // What has surely not arrived is known when nothing is on its way any more.
                    let _ = sending.await;
                    link.end.over.cancel();
                    return link.end.result();
                }
            };
            let Some(arrived) = arrived else { break };
            if !take(&link, arrived, receive, outbox).await {
                break;
            }
            outbox.flush();
        }
    }
    // The last messages leave before the end.
    let _ = tokio::time::timeout(CLOSING, sending).await;
    post::delete(&link).await;
    Ok(())
}

/// Waits until the connection is lost, and its streams have brought all that was said before.
async fn ended(link: &Arc<Link>) {
    let gone = async {
        link.end.gone.cancelled().await;
        // If a balancer has led a message astray, the server knows the connection still.
        let deleting = link.clone();
        tokio::spawn(async move { post::delete(&deleting).await });
        let _ = tokio::time::timeout(LAST, link.streams.are_read()).await;
    };
    tokio::select! {
        () = gone => {}
        () = link.end.over.cancelled() => {}
    }
}

/// Hands over what has arrived. Returns false if the connection was closed meanwhile.
async fn take<R: Receive>(link: &Arc<Link>, arrived: Arrived, receive: &mut R, outbox: &Outbox) -> bool {
    let Arrived { lines, stream } = arrived;
    let session = stream.session();
    let mut goes_on = true;
    for line in lines {
        let learnt = match &line {
            Line::Whole(bytes) => link.open().arrives(bytes, session),
            Line::TooLong(_) => Default::default(),
        };
        if learnt.control.is_some() {
            continue;
        }
        if let Some(session) = learnt.opened.as_ref().or(learnt.prompted.as_ref()) {
            stream::open(link, session, true);
        }
        if let Some(session) = &learnt.ended {
            link.streams.close(session);
        }
        if let Some(session) = &learnt.about {
            link.close_unknown(session);
        }
        if let Some(instead) = learnt.instead {
            instead.into_iter().for_each(|told| link.conversation.hand_in(Line::Whole(told)));
            continue;
        }
        // The history of a session comes before the answer of its load, also over another stream.
        if let Some(behind) = learnt.behind.filter(|behind| session != Some(behind))
            && let Some(history) = link.streams.of(&behind)
        {
            let (conversation, over) = (link.conversation.clone(), link.end.over.clone());
            tokio::spawn(async move {
                tokio::select! {
                    _ = tokio::time::timeout(LOUD, history.quiet(QUIET)) => {}
                    () = over.cancelled() => {}
                }
                conversation.hand_in(line);
            });
            continue;
        }
        goes_on = line.hand_over(receive, outbox).await;
        if !goes_on {
            break;
        }
    }
    stream.is_taken();
    goes_on
}
