//! GET: a stream of events, of the connection or of one of its sessions. It ends with the connection; its end does not end the connection.

use std::{convert::Infallible, io::Write as _, sync::Arc, time::Duration};

use acp_peer::TARGET;
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use tokio::sync::mpsc;

use crate::{
    Principal,
    connection::{Connection, MOST_MISSED, Present, Reading},
    connections::Connections,
    durable::{self, Cursor, LAST_EVENT_ID},
    names::EVENT_STREAM,
    post::session,
    refusal::Refusal,
};

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
            (reading.place(), None, reading)
        }
        Some(id) => {
            let cursor: Option<Cursor> = id.to_str().ok().and_then(|id| id.parse().ok());
            // A text that no server of ours has sent stands for a place that is not kept.
            let cursor = cursor.unwrap_or(Cursor { stream: 0, number: 0 });
            let resumed = stream.resume(cursor).await;
            let count = if resumed.is_ok() { &connection.counters.resumed } else { &connection.counters.not_resumed };
            count.add(1);
            let (missed, reading) = resumed?;
            (cursor, Some(missed), reading)
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
    /// `missed` is what a reader that comes back has missed.
    async fn run(mut self, missed: Option<Vec<Bytes>>) {
        let mut untold = missed.as_ref().and(self.session.clone());
        // The first bytes tell the client at once that the stream is open, and its place in it. An id without data is no message.
        let mut piece = format!("id: {}\n\n", self.place).into_bytes();
        missed.iter().flatten().for_each(|event| piece.extend_from_slice(event));
        let mut piece = Bytes::from(piece);
        // What has waited for the reader is missed, too. It has a bound, beyond which the agent has gone on meanwhile.
        let mut waited = 0;
        loop {
            if !self.send(piece).await {
                return;
            }
            let revoked = self.reading.revoked.clone();
            let message = tokio::select! {
                biased;
                () = revoked.cancelled() => return,
                message = self.reading.next() => message,
                () = std::future::ready(()), if untold.is_some() => {
                    piece = self.state(untold.take());
                    continue;
                }
                () = self.sender.closed() => return,
                () = tokio::time::sleep(self.keepalive) => {
                    piece = Bytes::from_static(b":\n\n");
                    continue;
                }
            };
            let Some(message) = message else { return };
            let (connection, session) = (&*self.connection, self.session.as_deref());
            let (said, is_all) = self.reading.piece(message, |piece, message, cursor| {
                event(piece, &connection.leaves(message, session), cursor);
            });
            piece = said.whole;
            waited += piece.len();
            if untold.is_some() && (is_all || waited > MOST_MISSED) {
                let told = self.state(untold.take());
                piece = [piece, told].concat().into();
            }
        }
    }

    /// What the session does. It is no message of the stream: it has no place.
    fn state(&self, session: Option<Box<str>>) -> Bytes {
        let state = session.map_or_else(Vec::new, |session| self.connection.state_of(&session));
        [b"data: ", &*state, b"\n\n"].concat().into()
    }

    /// Returns whether the reader is there still.
    async fn send(&self, piece: Bytes) -> bool {
        match tokio::time::timeout(self.stall_timeout, self.sender.send(piece)).await {
            Ok(sent) => sent.is_ok(),
            Err(_) => {
                self.connection.counters.stalled.add(1);
                tracing::debug!(target: TARGET, { acp.connection.id = %self.connection.id.simple(), acp.session.id = self.session.as_deref() }, "the reader of a stream takes nothing: it is let go");
                false
            }
        }
    }
}

/// Appends a message as an event.
fn event(piece: &mut Vec<u8>, message: &[u8], cursor: Cursor) {
    write!(piece, "id: {cursor}\ndata: ").expect("a vector takes all");
    let begin = piece.len();
    durable::append_with_cursor(piece, message, cursor);
    // White space of an author's own JSON. It would end the line.
    while let Some(at) = memchr::memchr(b'\r', &piece[begin..]) {
        piece[begin + at] = b' ';
    }
    piece.extend_from_slice(b"\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_of_data() {
        let mut piece = Vec::new();
        let message = b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\r\"x\":1,\r \"y\":2}}";
        event(&mut piece, message, Cursor { stream: 10, number: 2 });
        let expected = "id: a-2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"_meta\":{\"acp/cursor\":\"a-2\"}, \"x\":1,  \"y\":2}}\n\n";
        assert_eq!(String::from_utf8(piece).unwrap(), expected);
    }
}
