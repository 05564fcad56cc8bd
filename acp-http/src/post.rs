//! POST: a message of the client. `initialize` begins a connection and is answered at once; all others are accepted, and answered over a
//! stream.

use std::sync::Arc;

use acp_peer::{TARGET, transport::Context};
use axum::{
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};

use crate::{
    Principal,
    connection::Connection,
    connections::Connections,
    message::{Message, NoMessage},
    names::{CONNECTION_ID, INITIALIZE, JSON, LOAD, NEEDS_SESSION, RESUME, SESSION_ID},
    refusal::Refusal,
};

pub(crate) async fn answer(connections: &Connections, parts: &Parts, body: Body) -> Result<Response, Refusal> {
    if !is_json(&parts.headers) {
        let text = "a message is sent with the header `Content-Type: application/json`";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    let principal = parts.extensions.get::<Principal>();
    let is_first = !parts.headers.contains_key(CONNECTION_ID);
    let connection = if is_first { None } else { Some(connections.named(&parts.headers, principal)?) };
    let bytes = read(connections, body).await?;
    let message = Message::read(&bytes).map_err(|no| match no {
        NoMessage::Batch => {
            Refusal::new(StatusCode::NOT_IMPLEMENTED, "the protocol has no batches: send each message by itself")
        }
        NoMessage::Malformed => Refusal::bad_request("the body is not one message of JSON-RPC 2.0"),
    })?;
    match connection {
        Some(connection) => pass(connections, &connection, &parts.headers, message, bytes).await,
        None if matches!(&message, Message::Request { method, .. } if method == INITIALIZE) => {
            let mut answer = initialize(connections, principal.cloned(), &message, bytes).await?;
            if parts.headers.contains_key(header::ORIGIN) {
                // A page reads no other header, even if a layer for CORS lets it read the answer.
                let names = HeaderValue::from_static("acp-connection-id");
                answer.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, names);
            }
            Ok(answer)
        }
        None => Err(Refusal::bad_request(
            "the header `Acp-Connection-Id` is missing, and only the request `initialize` goes without",
        )),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = |value: &HeaderValue| Some(value.to_str().ok()?.split(';').next()?.trim().eq_ignore_ascii_case(JSON));
    headers.get(header::CONTENT_TYPE).and_then(essence) == Some(true)
}

async fn read(connections: &Connections, body: Body) -> Result<Bytes, Refusal> {
    let options = &connections.options;
    let too_long = || {
        let text = format!("a message has at most {} bytes here", options.message_bytes);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    if axum::body::HttpBody::size_hint(&body).lower() > options.message_bytes as u64 {
        return Err(too_long());
    }
    match tokio::time::timeout(options.body_timeout, to_bytes(body, options.message_bytes)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(too_long()),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body of the message did not arrive in time")),
    }
}

/// Ends a connection whose `initialize` nobody waits for any more, or which has failed.
struct Unless<'c>(Option<&'c Connection>);

impl Drop for Unless<'_> {
    fn drop(&mut self) {
        if let Some(connection) = self.0 {
            connection.end();
        }
    }
}

async fn initialize(
    connections: &Connections,
    principal: Option<Principal>,
    message: &Message,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let Message::Request { id, .. } = message else { return Err(Refusal::bad_request("`initialize` is a request")) };
    check_id(connections, id)?;
    let context = principal.iter().fold(Context::new(), |context, principal| context.with(principal.clone()));
    let connection = connections.begin((principal, context), true)?;
    let mut unless = Unless(Some(&connection));
    let stream = connection.streams.apart();
    connection.open.ask(id, message)?;
    connection.pass(bytes, stream.clone()).await?;
    let mut reader = stream.reader().ok_or_else(Refusal::unknown_connection)?;
    let Some(answer) = reader.next().await else { return Err(Refusal::unknown_connection()) };
    let answer = connection.leaves(answer, None);
    if connection.states.is_initialized() {
        unless.0 = None;
    }
    let mut response = ([(header::CONTENT_TYPE, JSON)], answer).into_response();
    let id = connection.id.simple().to_string();
    response.headers_mut().insert(CONNECTION_ID, HeaderValue::from_str(&id).expect("hexadecimal digits"));
    Ok(response)
}

async fn pass(
    connections: &Connections,
    connection: &Arc<Connection>,
    headers: &HeaderMap,
    message: Message,
    bytes: Bytes,
) -> Result<Response, Refusal> {
    let named = session(headers)?;
    if let Message::Answer { id, .. } = &message {
        connection.open.answers(id, named)?;
        connection.pass(bytes, connection.streams.own().outbox().clone()).await?;
        return Ok(StatusCode::ACCEPTED.into_response());
    }
    match (named, message.session()) {
        (None, Some(_)) if NEEDS_SESSION.contains(&message.method()) => {
            return Err(Refusal::bad_request("a message about a session is sent with the header `Acp-Session-Id`"));
        }
        (Some(header), Some(params)) if header != params => {
            let text = format!("the header `Acp-Session-Id` says {header:?}, and the params say {params:?}");
            return Err(Refusal::bad_request(text));
        }
        _ => {}
    }
    let answer = match named {
        // Its client opens the stream of the session at the same time, and the history comes over it.
        Some(session) if message.method() == RESUME => connection.streams.of(session)?.outbox().clone(),
        Some(session) if message.method() != LOAD => connection.answers_about(session)?,
        _ => connection.streams.own().outbox().clone(),
    };
    let id = match &message {
        Message::Request { id, .. } => Some(id),
        _ => None,
    };
    if let Some(id) = id {
        check_id(connections, id)?;
        connection.open.ask(id, &message)?;
    }
    if let Err(refusal) = connection.pass(bytes, answer).await {
        id.inspect(|id| connection.withdraw(id));
        return Err(refusal);
    }
    tracing::trace!(target: TARGET, connection = %connection.id, method = message.method(), "accepted");
    Ok(StatusCode::ACCEPTED.into_response())
}

fn check_id(connections: &Connections, id: &str) -> Result<(), Refusal> {
    let longest = connections.options.id_bytes;
    if id.len() <= longest {
        return Ok(());
    }
    Err(Refusal::bad_request(format!("the id of a request has at most {longest} bytes")))
}

pub(crate) fn session(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut all = headers.get_all(SESSION_ID).iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(None),
        (Some(id), None) => {
            let wrong = |_| Refusal::bad_request("the header `Acp-Session-Id` must be visible ASCII");
            Ok(Some(id.to_str().map_err(wrong)?).filter(|id| !id.is_empty()))
        }
        (Some(_), Some(_)) => Err(Refusal::bad_request("there must be one header `Acp-Session-Id`")),
    }
}
