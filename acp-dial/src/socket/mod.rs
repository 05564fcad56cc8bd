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

use std::sync::Arc;

use acp_peer::{
    TARGET,
    transport::{Outbox, Receive},
};
use futures_util::StreamExt;
use tokio::time::{Duration, Instant, sleep};

use self::{
    connect::Refused,
    link::{Ended, Link},
    read::read,
    write::Outgoing,
};
use crate::{
    conversation::{Answers, Conversation},
    net::Net,
    shared::{ADVICE, Lost},
};

/// How long the last words of a server may be on their way that reads no more.
const LAST: Duration = Duration::from_secs(1);

pub(crate) async fn run<R: Receive>(
    net: Arc<Net>,
    conversation: &Arc<Conversation>,
    answers: &mut Answers,
    receive: &mut R,
    outbox: &Outbox,
) -> Result<(), Lost> {
    let is_again = conversation.open.is_begun();
    let begun = tokio::select! {
        begun = connect::begin(&net, is_again) => begun?,
        () = outbox.closed() => return Ok(()),
    };
    let (mut socket, id) = begun;
    let link = Arc::new(Link::new(net, conversation.clone()));
    let _over = link.end.over.clone().drop_guard();
    let mut outgoing = Outgoing::new(conversation.messages.lock().await);
    let backoff = link.net.options.backoff.clone();
    let mut attempts = backoff.begin();
    loop {
        let opened = Instant::now();
        let (sink, stream) = socket.split();
        let ended = {
            let writing = outgoing.write(&link, sink);
            let reading = read(&link, stream, answers, receive, outbox);
            tokio::select! {
                ended = reading => ended,
                // A server that closes is heard before it is lost, if its last words are on their way.
                ended = async {
                    let ended = writing.await;
                    sleep(LAST).await;
                    ended
                } => ended,
            }
        };
        let is_away = matches!(ended, Ended::Away(_));
        let why = match ended {
            Ended::Closed => {
                // A server that waits for a client to come back is told that this one does not.
                if let Some(id) = id.filter(|_| link.places().are_resumable()) {
                    connect::delete(&link.net, id).await;
                }
                return Ok(());
            }
            Ended::Over(why) => return Err(Lost::for_good(why)),
            Ended::Away(why) | Ended::Lost(why) => why,
        };
        let Some(id) = id.clone().filter(|_| link.places().are_resumable()) else {
            let why = format!("the WebSocket was lost, and this server cannot resume it: {why}");
            // Before the server has answered, it may be one that ends.
            let is_gone = is_again && !link.places().are_resumable();
            return Err(if is_gone {
                Lost { is_gone, ..Lost::for_good(why) }
            } else {
                Lost::for_good(format!("{why}{ADVICE}"))
            });
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
                    Err(Refused::Ever(Lost::for_good(why)))
                }
            };
            let back = tokio::select! {
                back = coming_back => back,
                () = outbox.closed() => return Ok(()),
            };
            last = match back {
                Ok(socket) => break socket,
                Err(Refused::Ever(lost)) => {
                    // What the server had not read goes to another one.
                    for (number, message) in link.unread().take().filter(|_| is_away) {
                        link.open().did_not_send(number, &message);
                    }
                    return Err(lost);
                }
                Err(Refused::Now(after, why)) => (after, why),
            };
        };
        outgoing.comes_back(&link);
    }
}
