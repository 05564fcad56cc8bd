//! A connection over a WebSocket, which comes back where it was lost.
//!
//! A frame has no answer that says that it was accepted. So each message is followed by a ping: its pong says that the server has read what was
//! before it.

mod connect;
mod link;
mod places;
mod read;
mod unread;
mod write;

use std::{io, sync::Arc};

use acp_peer::{
    TARGET,
    transport::{Outbox, Receive, StreamReader},
};
use futures_util::StreamExt;
use tokio::{sync::mpsc, time::Instant};

use self::{
    connect::Refused,
    link::{Ended, Link},
    read::read,
    write::Outgoing,
};
use crate::net::Net;

pub(crate) async fn run<R: Receive>(
    net: Arc<Net>,
    messages: StreamReader,
    receive: &mut R,
    outbox: &Outbox,
) -> io::Result<()> {
    let begun = tokio::select! {
        begun = connect::begin(&net) => begun?,
        () = outbox.closed() => return Ok(()),
    };
    let (mut socket, id) = begun;
    let (own, mut answers) = mpsc::channel(1);
    let link = Arc::new(Link::new(net, own));
    let _over = link.end.over.clone().drop_guard();
    let mut outgoing = Outgoing::new(messages);
    let backoff = link.net.options.backoff.clone();
    let mut attempts = backoff.begin();
    loop {
        let opened = Instant::now();
        let (sink, stream) = socket.split();
        let ended = {
            let writing = outgoing.write(&link, sink);
            let reading = read(&link, stream, &mut answers, receive, outbox);
            tokio::select! {
                ended = reading => ended,
                ended = writing => ended,
            }
        };
        let why = match ended {
            Ended::Closed => {
                // A server that waits for a client to come back is told that this one does not.
                if let Some(id) = id.filter(|_| link.places().are_resumable()) {
                    connect::delete(&link.net, id).await;
                }
                return Ok(());
            }
            Ended::Over(why) => return Err(io::Error::other(why)),
            Ended::Lost(why) => why,
        };
        let Some(id) = id.clone().filter(|_| link.places().are_resumable()) else {
            let text = "the WebSocket was lost, and this server cannot resume it: connect again, and load the sessions";
            return Err(io::Error::other(format!("{text}: {why}")));
        };
        tracing::debug!(target: TARGET, "a WebSocket was lost: {why}");
        // A server that opens a WebSocket and ends it at once has not come back.
        if link.places().has_moved() || opened.elapsed() > backoff.longest {
            attempts.reset();
        }
        let mut last = (None, why);
        socket = loop {
            let (after, why) = last;
            // The first attempt has a pause, too: many clients may have lost their server at the same time.
            let coming_back = async {
                if attempts.wait(after).await {
                    connect::resume(&link.net, id.clone(), &link.places).await
                } else {
                    Err(Refused::Ever(why))
                }
            };
            let back = tokio::select! {
                back = coming_back => back,
                () = outbox.closed() => return Ok(()),
            };
            last = match back {
                Ok(socket) => break socket,
                Err(Refused::Ever(why)) => return Err(io::Error::other(why)),
                Err(Refused::Now(after, why)) => (after, why),
            };
        };
        outgoing.comes_back(&link);
    }
}
