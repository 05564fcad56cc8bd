//! Connections one after the other: when the server does not know one any more, because its process has ended or a balancer has led the client
//! to another one, the next one begins with `initialize` and the sessions that were open.

use std::{io, sync::Arc};

use acp_peer::{
    TARGET,
    transport::{Outbox, Receive, StreamReader},
};
use tokio::time::Instant;

use crate::{
    conversation::Conversation,
    http,
    net::Net,
    open::Again,
    shared::{ADVICE, Line, Lost},
    socket,
};

pub(crate) async fn run<R: Receive>(
    net: Net,
    client: StreamReader,
    receive: &mut R,
    outbox: &Outbox,
) -> io::Result<()> {
    let (conversation, mut answers) = Conversation::new(client);
    let conversation = Arc::new(conversation);
    let mut net = Arc::new(net);
    let backoff = net.options.backoff.clone();
    let mut attempts = backoff.begin();
    loop {
        let begun = Instant::now();
        // The futures are large.
        let ended = match net.url.scheme() {
            "ws" | "wss" => Box::pin(socket::run(net.clone(), &conversation, &mut answers, receive, outbox)).await,
            _ => Box::pin(http::run(net.clone(), &conversation, &mut answers, receive, outbox)).await,
        };
        let Err(Lost { why, is_gone, kind }) = ended else { return Ok(()) };
        if !(is_gone && net.options.begin_again && conversation.open.can_begin_again()) {
            return Err(end(why, is_gone, kind));
        }
        tracing::debug!(target: TARGET, "the server does not know the connection any more, and another one begins: {why}");
        // A server that loses each connection at once has none.
        if begun.elapsed() > backoff.longest {
            attempts.reset();
        }
        let Again { messages, told } = conversation.open.begins_again(&why);
        // Answers that have waited come first.
        while let Ok(line) = answers.try_recv() {
            if !line.hand_over(receive, outbox).await {
                return Ok(());
            }
        }
        for line in told {
            if !Line::Whole(line).hand_over(receive, outbox).await {
                return Ok(());
            }
        }
        outbox.flush();
        conversation.messages.lock().await.begin_with(messages);
        let goes_on = tokio::select! {
            // Many clients may have lost their server at the same time.
            goes_on = attempts.wait(None) => goes_on,
            () = outbox.closed() => return Ok(()),
        };
        if !goes_on {
            return Err(end(why, is_gone, kind));
        }
        // A cookie would lead to the process that is gone.
        net = Arc::new(net.without_cookies()?);
    }
}

/// The end of the connection for the client. Of a connection that is gone, the reason does not say what to do: mostly another one begins.
fn end(why: String, is_gone: bool, kind: io::ErrorKind) -> io::Error {
    io::Error::new(kind, if is_gone { format!("{why}{ADVICE}") } else { why })
}
