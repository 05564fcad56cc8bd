//! One stream of events, which comes back where it was lost.

use std::sync::Arc;

use acp_peer::TARGET;
use reqwest::{Method, Response, StatusCode, Version, header};
use tokio::time::Instant;

use super::{
    link::Link,
    readers::Seat,
    streams::{Arrived, Stream},
};
use crate::{
    durable::LAST_EVENT_ID,
    names::EVENT_STREAM,
    net::told,
    refusal::Refusal,
    shared::{ADVICE, Line, Lost},
    sse::Parser,
};

/// How a stream has ended.
enum End {
    /// The server has ended it, behind its last message.
    Whole,
    /// Messages may have been lost.
    Lost(String),
}

/// Why a stream is not open.
enum Shut {
    /// For now: the server may be asked again.
    Now(Option<std::time::Duration>, String),
    /// A reader has it that we have let go, and the server has not seen its end.
    Taken(String),
    /// The server has no such stream.
    Absent(String),
    /// For good.
    Ever(Lost),
}

/// Opens the connection's own stream.
pub(super) fn begin(link: &Arc<Link>) {
    spawn(link, link.streams.own().clone());
}

/// Opens the stream of a session. `is_known` if the agent has said that there is such a session.
pub(super) fn open(link: &Arc<Link>, session: &str, is_known: bool) {
    let (stream, is_new) = link.streams.enter(session, is_known);
    if is_new {
        spawn(link, stream);
    }
}

fn spawn(link: &Arc<Link>, stream: Arc<Stream>) {
    let (reader, link) = (link.streams.reader(), link.clone());
    link.clone().end.spawn(async move {
        run(link, stream).await;
        drop(reader);
    });
}

/// Reads a stream until its session or its connection ends.
async fn run(link: Arc<Link>, stream: Arc<Stream>) {
    let closed = stream.closed.clone();
    let seat = match link.readers.seat(&link.net) {
        Ok(seat) => seat,
        Err(why) => return link.end.fail(Lost::for_good(why)),
    };
    let reading = Reading { last: None, was_open: false, link: &link, stream: &stream, seat };
    let failed = tokio::select! {
        failed = reading.run() => failed,
        () = closed.cancelled() => None,
    };
    if let Some(lost) = failed {
        link.end.fail(lost);
    }
}

struct Reading<'l> {
    link: &'l Link,
    stream: &'l Arc<Stream>,
    seat: Seat,
    /// The place behind the last message that was handed on.
    last: Option<String>,
    was_open: bool,
}

impl Reading<'_> {
    /// Reads until there is no more. Returns the reason if the connection is lost with the stream.
    async fn run(mut self) -> Option<Lost> {
        let backoff = self.link.net.options.backoff.clone();
        let mut attempts = backoff.begin();
        loop {
            match self.link.end.unless_gone(self.open()).await? {
                Ok(response) => {
                    self.was_open = true;
                    self.stream.is_open(true);
                    let (opened, before) = (Instant::now(), self.link.arrivals());
                    let ended = self.read(response).await;
                    // A server that opens a stream and ends it at once has not come back.
                    if self.link.arrivals() != before || opened.elapsed() > backoff.longest {
                        attempts.reset();
                    }
                    match ended {
                        End::Whole if self.link.is_resumable => {}
                        // All that was said has come, and the server knows no places.
                        End::Whole => self.last = None,
                        End::Lost(why) if self.link.is_resumable => {
                            tracing::debug!(target: TARGET, session = self.stream.session(), "a stream was lost: {why}");
                        }
                        End::Lost(why) => {
                            return Some(Lost::for_good(format!(
                                "a stream was lost, and this server cannot resume it: {why}{ADVICE}"
                            )));
                        }
                    }
                    self.stream.is_open(false);
                    // The first attempt has a pause, too: many clients may have lost their server at the same time.
                    if !self.link.end.unless_gone(attempts.wait(None)).await? {
                        return Some(Lost::for_good("the server ends each stream as soon as it is open"));
                    }
                }
                Err(Shut::Now(after, why)) => {
                    if !self.link.end.unless_gone(attempts.wait(after)).await? {
                        return Some(Lost::for_good(why));
                    }
                }
                Err(Shut::Taken(why)) => {
                    // What is said meanwhile waits there. So messages need not wait.
                    self.stream.is_open(false);
                    if self.link.end.unless_gone(attempts.wait(None)).await? {
                        continue;
                    }
                    if self.stream.is_known() {
                        return Some(Lost::for_good(why));
                    }
                    self.link.end.unless_gone(self.stream.known()).await?;
                    attempts.reset();
                }
                Err(Shut::Absent(why)) => {
                    let is_known = self.stream.is_known();
                    self.stream.is_open(false);
                    if is_known {
                        // What the server says of the session may come over the stream of the connection.
                        tracing::warn!(target: TARGET, session = self.stream.session(), "the session has no stream: {why}");
                        self.stream.closed.cancel();
                        return None;
                    }
                    self.link.end.unless_gone(self.stream.known()).await?;
                }
                Err(Shut::Ever(lost)) => {
                    self.stream.is_open(false);
                    return Some(lost);
                }
            }
        }
    }

    async fn open(&self) -> Result<Response, Shut> {
        let session = self.stream.session();
        let mut request = self.link.request_by(&self.seat.client, Method::GET, session).map_err(Shut::Absent)?;
        request = request.header(header::ACCEPT, EVENT_STREAM).header(header::CACHE_CONTROL, "no-store");
        if let Some(last) = &self.last {
            request = request.header(LAST_EVENT_ID, last);
        }
        let sent = tokio::time::timeout(self.link.net.options.accept_timeout, request.send()).await;
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Shut::Now(None, told(&error))),
            Err(_) => return Err(Shut::Now(None, "the server does not open the stream in time".to_owned())),
        };
        if response.status() == StatusCode::OK && is_events(&response) {
            return Ok(response);
        }
        if response.status().is_success() {
            return Err(Shut::Ever(Lost::for_good("the server's stream is none of events (`text/event-stream`)")));
        }
        let refusal = Refusal::read(response).await;
        let what = if session.is_some() { "the stream of a session" } else { "the stream of the connection" };
        let told = refusal.tell(what, false);
        Err(match refusal.status {
            StatusCode::CONFLICT if self.last.is_some() => {
                let lost = "messages were lost, and the server does not have them any more: connect again, and load the sessions";
                Shut::Ever(Lost::for_good(format!("{lost}: {told}")))
            }
            StatusCode::CONFLICT if session.is_some() && !self.was_open => Shut::Taken(told),
            StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::METHOD_NOT_ALLOWED | StatusCode::BAD_REQUEST
                if session.is_some() && !self.was_open =>
            {
                Shut::Absent(told)
            }
            _ if refusal.ends_connection() => Shut::Ever(refusal.ends(what)),
            StatusCode::TOO_MANY_REQUESTS if session.is_some() && !self.stream.is_known() => Shut::Absent(told),
            status if status.is_server_error() || refusal.is_for_now() => Shut::Now(refusal.retry_after, told),
            _ => Shut::Ever(Lost::for_good(told)),
        })
    }

    async fn read(&mut self, mut response: Response) -> End {
        let has_end = has_end(&response);
        let mut parser = Parser::new(self.link.net.longest);
        // A server that repeats the message of the last place says it once.
        let mut repeated = self.last.clone();
        loop {
            let piece = if self.link.is_resumable {
                match tokio::time::timeout(self.link.net.options.silence, response.chunk()).await {
                    Ok(piece) => piece,
                    Err(_) => return End::Lost("the server was silent for too long".to_owned()),
                }
            } else {
                response.chunk().await
            };
            let piece = match piece {
                Ok(Some(piece)) => piece,
                Ok(None) if has_end => return End::Whole,
                Ok(None) => return End::Lost("its end is not marked".to_owned()),
                Err(error) => return End::Lost(told(&error)),
            };
            self.stream.hear();
            let (mut lines, mut place) = (Vec::new(), None);
            for event in parser.read(&piece) {
                let is_message = event.is_message();
                if let Some(id) = event.id {
                    if is_message && repeated.take().is_some_and(|last| last == id && !id.is_empty()) {
                        continue;
                    }
                    place = Some(id);
                }
                match event.data.into() {
                    _ if !is_message => {}
                    head if event.is_too_long => lines.push(Line::TooLong(head)),
                    line => lines.push(Line::Whole(line)),
                }
            }
            if !lines.is_empty() {
                self.stream.is_read();
                self.link.arrived(Arrived { lines, stream: self.stream.clone() }).await;
            }
            if let Some(place) = place {
                // No header has an empty id.
                self.last = Some(place).filter(|place| !place.is_empty());
            }
        }
    }
}

fn is_events(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(EVENT_STREAM)
}

/// Whether the end of the body is marked, so that a lost connection does not look like it.
fn has_end(response: &Response) -> bool {
    let headers = response.headers();
    response.version() >= Version::HTTP_2
        || headers.contains_key(header::TRANSFER_ENCODING)
        || headers.contains_key(header::CONTENT_LENGTH)
}
