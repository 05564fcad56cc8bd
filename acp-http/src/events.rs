//! GET: a stream of events, of the connection or of one of its sessions. It ends with the connection; its end does not end the connection.

use std::{convert::Infallible, sync::Arc, time::Duration};

use acp_peer::TARGET;
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use tokio::sync::mpsc;

use crate::{
    Principal,
    connection::{Connection, Present, Reading},
    connections::Connections,
    durable::{Cursor, LAST_EVENT_ID},
    names::EVENT_STREAM,
    post::session,
    refusal::Refusal,
};

/// Messages that are ready together leave in pieces of about this size.
const PIECE: usize = 64 * 1024;

pub(crate) async fn answer(connections: &Connections, parts: &Parts) -> Result<Response, Refusal> {
    if !accepts(&parts.headers) {
        let text = "a stream is opened with the header `Accept: text/event-stream`";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, text));
    }
    let connection = connections.named(&parts.headers, parts.extensions.get::<Principal>())?;
    let session = session(&parts.headers)?;
    let stream = match session {
        Some(session) => connection.streams.of(session)?,
        None => connection.streams.own().clone(),
    };
    let (place, missed, reading) = match parts.headers.get(LAST_EVENT_ID) {
        None => {
            let reading = stream.read()?;
            (reading.place(), Vec::new(), reading)
        }
        Some(id) => {
            let cursor: Option<Cursor> = id.to_str().ok().and_then(|id| id.parse().ok());
            // A text that no server of ours has sent stands for a place that is not kept.
            let cursor = cursor.unwrap_or(Cursor { stream: uuid::Uuid::nil(), number: 0 });
            let (missed, reading) = stream.resume(cursor).await?;
            (cursor, missed, reading)
        }
    };
    let (sender, mut pieces) = mpsc::channel::<Bytes>(1);
    let pump = Pump {
        _present: connection.presence.enter(),
        session: session.map(Into::into),
        keepalive: connections.options.keepalive,
        stall_timeout: connections.options.stall_timeout,
        connection,
        reading,
        sender,
        place,
    };
    tokio::spawn(pump.run(missed));
    let body =
        futures_util::stream::poll_fn(move |cx| pieces.poll_recv(cx).map(|piece| piece.map(Ok::<_, Infallible>)));
    let headers = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, "no-cache, no-transform"),
        // Some proxies would keep events back.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

fn accepts(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|range| {
            let range = range.split(';').next().unwrap_or_default().trim();
            [EVENT_STREAM, "text/*", "*/*"].iter().any(|taken| range.eq_ignore_ascii_case(taken))
        })
}

/// Takes messages from a stream of the connection, and hands them to the body of the answer.
struct Pump {
    connection: Arc<Connection>,
    session: Option<Box<str>>,
    reading: Reading,
    sender: mpsc::Sender<Bytes>,
    _present: Present,
    keepalive: Duration,
    stall_timeout: Duration,
    /// Where the reader begins.
    place: Cursor,
}

impl Pump {
    async fn run(mut self, missed: Vec<Bytes>) {
        // The first bytes tell the client at once that the stream is open, and its place in it. An id without data is no message.
        let mut piece = format!("id: {}\n\n", self.place).into_bytes();
        missed.iter().for_each(|event| piece.extend_from_slice(event));
        while self.send(piece.into()).await {
            let revoked = self.reading.revoked.clone();
            let message = tokio::select! {
                message = self.reading.next() => message,
                () = revoked.cancelled() => return,
                () = self.sender.closed() => return,
                () = tokio::time::sleep(self.keepalive) => {
                    piece = b":\n\n".to_vec();
                    continue;
                }
            };
            let Some(message) = message else { return };
            piece = self.event(&message).into();
            while piece.len() < PIECE
                && let Some(message) = self.reading.ready().await
            {
                piece.extend_from_slice(&self.event(&message));
            }
        }
    }

    /// Returns whether the reader is there still.
    async fn send(&self, piece: Bytes) -> bool {
        match tokio::time::timeout(self.stall_timeout, self.sender.send(piece)).await {
            Ok(sent) => sent.is_ok(),
            Err(_) => {
                tracing::debug!(target: TARGET, connection = %self.connection.id, session = self.session.as_deref(), "the reader of a stream takes nothing: it is let go");
                false
            }
        }
    }

    fn event(&self, message: &[u8]) -> Bytes {
        let event = self.reading.keep(|cursor| {
            let mut event = format!("id: {cursor}\ndata: ").into_bytes();
            event.reserve(message.len() + 2);
            event.extend_from_slice(message);
            event.extend_from_slice(b"\n\n");
            event.into()
        });
        self.connection.open.leaves(message, self.session.as_deref());
        event
    }
}
