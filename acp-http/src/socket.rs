//! GET with an upgrade: a WebSocket, over which the messages of both sides go as text frames.

use std::sync::Arc;

use acp_peer::{TARGET, transport::Context};
use axum::{
    body::Bytes,
    extract::{
        FromRequestParts, WebSocketUpgrade,
        ws::{CloseFrame, Message as Frame, WebSocket, close_code},
    },
    http::{HeaderValue, StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::time::{Instant, sleep_until, timeout};

use crate::{
    HttpOptions, Principal,
    connection::{Connection, Reading},
    connections::Connections,
    message::Message,
    names::CONNECTION_ID,
    refusal::Refusal,
};

pub(crate) async fn answer(connections: &Connections, mut parts: Parts) -> Result<Response, Refusal> {
    let principal = parts.extensions.get::<Principal>().cloned();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await.map_err(|rejection| {
        Refusal::new(rejection.into_response().status(), "this is no complete request for a WebSocket")
    })?;
    if parts.headers.contains_key(CONNECTION_ID) {
        return Err(Refusal::bad_request(
            "a WebSocket is a connection of its own: open it without `Acp-Connection-Id`",
        ));
    }
    let context = principal.iter().fold(Context::new(), |context, principal| context.with(principal.clone()));
    let connection = connections.begin((principal, context), false)?;
    let reading = connection.streams.own().read()?;
    let options = connections.options.clone();
    let id = HeaderValue::from_str(&connection.id.simple().to_string()).expect("hexadecimal digits");
    let failed = connection.clone();
    let mut response = upgrade
        .max_message_size(options.message_bytes)
        .max_frame_size(options.message_bytes)
        .on_failed_upgrade(move |_| failed.end())
        .on_upgrade(move |socket| run(socket, connection, reading, options));
    if response.status() == StatusCode::SWITCHING_PROTOCOLS || response.status() == StatusCode::OK {
        response.headers_mut().insert(CONNECTION_ID, id);
    }
    Ok(response)
}

async fn run(socket: WebSocket, connection: Arc<Connection>, reading: Reading, options: Arc<HttpOptions>) {
    let _present = connection.presence.enter();
    let (mut sink, stream) = socket.split();
    let close = tokio::select! {
        close = write(&mut sink, &connection, reading, &options) => close,
        close = read(stream, &connection, &options) => close,
    };
    if let Some((code, reason)) = close {
        tracing::debug!(target: TARGET, connection = %connection.id, "closed a WebSocket: {reason}");
        let frame = Frame::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(options.stall_timeout, sink.send(frame)).await;
    }
}

/// Why this side closes; `None` if the other side has.
type Close = Option<(u16, &'static str)>;

async fn write(
    sink: &mut SplitSink<WebSocket, Frame>,
    connection: &Connection,
    mut reading: Reading,
    options: &HttpOptions,
) -> Close {
    loop {
        let revoked = reading.revoked.clone();
        let frame = tokio::select! {
            message = reading.next() => message,
            () = revoked.cancelled() => return Some((close_code::AWAY, "the connection has ended")),
            () = tokio::time::sleep(options.keepalive) => {
                match timeout(options.stall_timeout, sink.send(Frame::Ping(Bytes::new()))).await {
                    Ok(Ok(())) => continue,
                    _ => return None,
                }
            }
        };
        let Some(message) = frame else { return Some((close_code::AWAY, "the connection has ended")) };
        connection.open.leaves(&message, None);
        let text = axum::extract::ws::Utf8Bytes::try_from(Bytes::from(message)).expect("the runtime writes UTF-8");
        match timeout(options.stall_timeout, sink.send(Frame::Text(text))).await {
            Ok(Ok(())) => {}
            _ => return None,
        }
    }
}

async fn read(mut stream: SplitStream<WebSocket>, connection: &Connection, options: &HttpOptions) -> Close {
    // Each frame shows that the other side is there: so does the answer to a ping.
    let silence = options.keepalive + options.stall_timeout;
    loop {
        let frame = tokio::select! {
            frame = stream.next() => frame,
            () = sleep_until(Instant::now() + silence) => return Some((close_code::AWAY, "the other side does not answer")),
        };
        match frame {
            Some(Ok(Frame::Text(text))) => {
                // An id that is used twice is the client's own trouble here, as over stdio.
                if let Ok(Message::Request { id, .. }) = Message::read(text.as_bytes()) {
                    let _ = connection.open.ask(&id);
                }
                let answer = connection.streams.own().outbox().clone();
                if connection.pass(text.into(), answer).await.is_err() {
                    return Some((close_code::AWAY, "the connection has ended"));
                }
            }
            // Messages are text; other frames mean nothing.
            Some(Ok(Frame::Binary(_) | Frame::Ping(_) | Frame::Pong(_))) => {}
            Some(Ok(Frame::Close(_))) | None => return None,
            Some(Err(_)) => return Some((close_code::SIZE, "the message is too long, or no WebSocket frame")),
        }
    }
}
