//! GET: a stream of events, of the connection or of one of its sessions. It ends with the connection; its end does not end the connection.

use std::{
    convert::Infallible,
    io::Write as _,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use tokio::time::{Instant, Sleep, sleep};

use crate::{
    Principal,
    connection::{Connection, MOST_MISSED, Piece, Present, Reading},
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
            let resumed = stream.resume(cursor);
            let count = if resumed.is_ok() { &connection.counters.resumed } else { &connection.counters.not_resumed };
            count.add(1);
            let (missed, reading) = resumed?;
            (cursor, Some(missed), reading)
        }
    };
    let mut events = Events::new(connection, session, (place, missed, reading), connections.options.keepalive);
    let body = futures_util::stream::poll_fn(move |cx| events.poll(cx).map(|piece| piece.map(Ok::<_, Infallible>)));
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

/// The body of the answer. It takes messages from a stream of the connection when the server can send more.
struct Events {
    connection: Arc<Connection>,
    session: Option<Box<str>>,
    reading: Reading,
    /// The first bytes, until they are taken.
    first: Option<Bytes>,
    /// The session whose state is to be told yet.
    untold: Option<Box<str>>,
    /// What was taken so far, in bytes.
    waited: usize,
    keepalive: Duration,
    last_said: Instant,
    silence: Pin<Box<Sleep>>,
    _present: Present,
}

impl Events {
    /// `missed` is what a reader that comes back has missed, and `place` is where it begins.
    fn new(
        connection: Arc<Connection>,
        session: Option<&str>,
        (place, missed, reading): (Cursor, Option<Vec<Bytes>>, Reading),
        keepalive: Duration,
    ) -> Self {
        // The first bytes tell the client at once that the stream is open, and its place in it. An id without data is no message.
        let mut first = format!("id: {place}\n\n").into_bytes();
        missed.iter().flatten().for_each(|event| first.extend_from_slice(event));
        let session: Option<Box<str>> = session.map(Into::into);
        session.iter().for_each(|session| connection.followed.is_read(session));
        Self {
            _present: connection.presence.enter(),
            connection,
            untold: missed.and(session.clone()),
            session,
            reading,
            first: Some(first.into()),
            waited: 0,
            keepalive,
            last_said: Instant::now(),
            silence: Box::pin(sleep(keepalive)),
        }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        let (connection, session) = (&*self.connection, self.session.as_deref());
        let polled = self.reading.poll_piece(cx, |piece, message, cursor| {
            event(piece, &connection.leaves(message, session), cursor);
        });
        match polled {
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Ready(Some((Piece { whole, .. }, is_all))) => {
                self.last_said = Instant::now();
                self.waited = self.waited.saturating_add(whole.len());
                // What has waited for the reader is missed, too. It has a bound, beyond which the agent has gone on meanwhile.
                if self.untold.is_some() && (is_all || self.waited > MOST_MISSED) {
                    return Poll::Ready(self.state().map(|told| [whole, told].concat().into()));
                }
                Poll::Ready(Some(whole))
            }
            Poll::Pending if self.untold.is_some() => Poll::Ready(self.state()),
            Poll::Pending => {
                ready!(self.poll_silence(cx));
                Poll::Ready(Some(Bytes::from_static(b":\n\n")))
            }
        }
    }

    /// What the session does, if that is to be told. It is no message of the stream: it has no place.
    fn state(&mut self) -> Option<Bytes> {
        let session = self.untold.take()?;
        Some([b"data: ", &*self.connection.state_of(&session), b"\n\n"].concat().into())
    }

    /// Ready when nothing was said for a time.
    fn poll_silence(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.silence.as_mut().poll(cx));
            let now = Instant::now();
            let is_silent = now >= self.last_said + self.keepalive;
            if is_silent {
                self.last_said = now;
            }
            self.silence.as_mut().reset(self.last_said + self.keepalive);
            if is_silent {
                return Poll::Ready(());
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.session.iter().for_each(|session| self.connection.followed.is_left(session));
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
