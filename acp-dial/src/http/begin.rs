//! The begin of a connection: POST `initialize`, whose answer has the id of the connection.

use std::io;

use acp_peer::{
    TARGET,
    transport::{Frame, Receive},
    wire::envelope::Incoming,
};
use reqwest::{Response, header};

use super::{link::Begun, post};
use crate::{
    conversation::Conversation,
    durable,
    message::Message,
    names::{CONNECTION_ID, INITIALIZE, JSON},
    net::{Net, told},
    refusal::Refusal,
    shared::Line,
};

/// Sends `initialize` until the server begins a connection. Hands answers with an error over: then the client may ask for another version.
/// `None` if the client gives up before. The answer is the client's, unless it has one of an earlier connection.
pub(super) async fn begin<R: Receive>(
    net: &Net,
    conversation: &Conversation,
    receive: &mut R,
) -> io::Result<Option<(Begun, Option<Line>)>> {
    let mut messages = conversation.messages.lock().await;
    while let Some(message) = messages.next().await {
        // A client that has waited for too long withdraws its request: there is no connection in which to say so.
        if message.method() != INITIALIZE {
            continue;
        }
        let (response, answer) = answer(net, &message).await?;
        let result = match Incoming::read(&answer) {
            Incoming::Response { outcome, .. } => outcome.ok(),
            _ => None,
        };
        conversation.open.begins(&message, result).map_err(io::Error::other)?;
        if result.is_none() {
            receive.frame(Frame::Line(&answer));
            continue;
        }
        let Some(id) = response.headers().get(CONNECTION_ID) else {
            let text = "the server's answer to `initialize` has no header `Acp-Connection-Id`: it does not speak the protocol over HTTP";
            return Err(io::Error::other(text));
        };
        let begun = Begun { id: id.clone(), is_resumable: durable::is_resumable(&answer) };
        tracing::debug!(target: TARGET, resumable = begun.is_resumable, "a connection over HTTP begins");
        return Ok(Some((begun, (!message.is_own).then(|| Line::Whole(answer.into())))));
    }
    Ok(None)
}

/// The answer to `initialize`. It may be asked for again: a connection whose `initialize` nobody waits for is none.
async fn answer(net: &Net, message: &Message) -> io::Result<(Response, Vec<u8>)> {
    let mut attempts = net.options.backoff.begin();
    loop {
        let request = net.client.post(net.url.clone()).header(header::ACCEPT, JSON);
        let refusal = match post::with_message(request, message).send().await {
            Ok(mut response) if response.status().is_success() => match body(&mut response, net.longest).await? {
                Some(body) => return Ok((response, body)),
                None if attempts.wait(None).await => continue,
                None => return Err(io::Error::other("the server was lost while it answered `initialize`")),
            },
            Ok(response) => Refusal::read(response).await,
            // A server that is not there, is not there: its address may be wrong. One that was there may come back.
            Err(error) if (message.is_own || !error.is_connect()) && attempts.wait(None).await => continue,
            Err(error) => return Err(io::Error::other(told(&error))),
        };
        let is_for_now = refusal.is_for_now() || refusal.leaves_in_doubt();
        tracing::debug!(target: TARGET, status = %refusal.status, "the server refused `initialize`");
        if !(is_for_now && attempts.wait(refusal.retry_after).await) {
            return Err(refusal.error("`initialize`"));
        }
    }
}

/// The body of an answer; `None` if it was lost on its way.
async fn body(response: &mut Response, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(piece)) if body.len() + piece.len() > longest => {
                return Err(io::Error::other(format!(
                    "the server's answer to `initialize` is longer than {longest} bytes"
                )));
            }
            Ok(Some(piece)) => body.extend_from_slice(&piece),
            Ok(None) => return Ok(Some(body)),
            Err(_) => return Ok(None),
        }
    }
}
