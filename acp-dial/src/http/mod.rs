//! A connection over HTTP: messages leave by POST, and come over the stream of the connection and those of its sessions.

mod begin;
mod link;
mod post;
mod readers;
mod send;
mod stream;
mod streams;

use std::{io, sync::Arc, time::Duration};

use acp_peer::transport::{Outbox, Receive, StreamReader};

use self::{link::Link, streams::Arrived};
use crate::{net::Net, shared::Line};

/// How long the last messages may take to reach the server.
const CLOSING: Duration = Duration::from_secs(2);

/// After this time of silence, a session's stream has brought all that was said before.
const QUIET: Duration = Duration::from_millis(100);

/// So long an answer waits for the silence of a stream that never falls silent.
const LOUD: Duration = Duration::from_secs(10);

pub(crate) async fn run<R: Receive>(
    net: Arc<Net>,
    mut messages: StreamReader,
    receive: &mut R,
    outbox: &Outbox,
) -> io::Result<()> {
    let begun = tokio::select! {
        begun = begin::begin(&net, &mut messages, receive) => begun?,
        () = outbox.closed() => None,
    };
    let Some((connection, answer)) = begun else { return Ok(()) };
    let (link, mut arriving) = Link::new(net, connection);
    // Also if this future is dropped, all tasks end.
    let _over = link.end.over.clone().drop_guard();
    stream::begin(&link);
    let sending = tokio::spawn(send::send(link.clone(), messages));
    if answer.hand_over(receive, outbox).await {
        loop {
            let arrived = tokio::select! {
                arrived = arriving.recv() => arrived,
                () = outbox.closed() => break,
                () = link.end.over.cancelled() => {
                    // What was read before the end is handed over.
                    while let Ok(arrived) = arriving.try_recv() {
                        take(&link, arrived, receive, outbox).await;
                    }
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

/// Hands over what has arrived. Returns false if the connection was closed meanwhile.
async fn take<R: Receive>(link: &Arc<Link>, arrived: Arrived, receive: &mut R, outbox: &Outbox) -> bool {
    let Arrived { lines, stream, is_settled } = arrived;
    let session = stream.as_ref().and_then(|stream| stream.session());
    let mut goes_on = true;
    for line in lines {
        let learnt = match &line {
            Line::Whole(bytes) if !is_settled => link.open.arrives(bytes, session),
            _ => Default::default(),
        };
        if learnt.control.is_some() {
            continue;
        }
        if let Some(session) = &learnt.opened {
            stream::open(link, session, true);
        }
        if let Some(session) = &learnt.ended {
            link.streams.close(session);
        }
        if let Some(session) = &learnt.refused {
            link.streams.close_unknown(session);
        }
        // The history of a session comes before the answer of its load, also over another stream.
        if let Some(behind) = learnt.behind.filter(|behind| session != Some(behind))
            && let Some(history) = link.streams.of(&behind)
        {
            let waiting = link.clone();
            link.end.spawn(async move {
                let _ = tokio::time::timeout(LOUD, history.quiet(QUIET)).await;
                waiting.hand_in(vec![line]).await;
            });
            continue;
        }
        goes_on = line.hand_over(receive, outbox).await;
        if !goes_on {
            break;
        }
    }
    if let Some(stream) = stream {
        stream.is_taken();
    }
    goes_on
}
