//! GET with an upgrade: a WebSocket, over which the messages of both sides go as text frames. It begins a connection, or goes on with one
//! whose WebSocket was lost.

use std::{future::poll_fn, sync::Arc, time::Duration};

use acp_peer::{TARGET, transport::Context};
use axum::{
    body::Bytes,
    extract::{
        FromRequestParts, WebSocketUpgrade,
        ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, close_code},
    },
    http::{HeaderValue, StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::{
    HttpOptions, Principal,
    connection::{Connection, Gone, MOST_MISSED, NotResumed, Reading},
    connections::{Connections, OpenSocket},
    durable::{self, Resume, ResumeFailed},
    message::Message,
    names::CONNECTION_ID,
    refusal::Refusal,
};

pub(crate) async fn answer(connections: &Arc<Connections>, mut parts: Parts) -> Result<Response, Refusal> {
    let principal = parts.extensions.get::<Principal>().cloned();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await.map_err(|rejection| {
        Refusal::new(rejection.into_response().status(), "this is no complete request for a WebSocket")
    })?;
    let comes_back = parts.headers.contains_key(CONNECTION_ID);
    let connection = if comes_back {
        let connection = connections.named(&parts.headers, principal.as_ref())?;
        if connection.is_routed {
            let text = "the connection has event streams: open them by GET, or a WebSocket without `Acp-Connection-Id`";
            return Err(Refusal::bad_request(text));
        }
        connection
    } else {
        let context = principal.iter().fold(Context::new(), |context, principal| context.with(principal.clone()));
        connections.begin((principal.clone(), context), false)?
    };
    let begin = if comes_back { None } else { Some(begin(&connection)?) };
    let options = &connections.options;
    let id = HeaderValue::from_str(&connection.id.simple().to_string()).expect("hexadecimal digits");
    let failed = connection.clone();
    let _open = connections.socket();
    let socket = Socket { connections: connections.clone(), _open, principal, connection, reading: begin };
    let mut response = upgrade
        .max_message_size(options.message_bytes)
        .max_frame_size(options.message_bytes)
        .on_failed_upgrade(move |_| {
            if !comes_back {
                failed.end()
            }
        })
        .on_upgrade(move |upgraded| socket.run(upgraded));
    if response.status() == StatusCode::SWITCHING_PROTOCOLS || response.status() == StatusCode::OK {
        response.headers_mut().insert(CONNECTION_ID, id);
    }
    Ok(response)
}

fn begin(connection: &Connection) -> Result<Reading, Refusal> {
    connection.streams.own().read().inspect_err(|_| connection.end())
}

struct Socket {
    connections: Arc<Connections>,
    _open: OpenSocket,
    principal: Option<Principal>,
    connection: Arc<Connection>,
    /// `None` until the client has said where it goes on.
    reading: Option<Reading>,
}

/// What the first message may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Anything,
    Resume,
    /// It has come.
    Past,
}

/// What is to be done next.
enum Next {
    /// This side closes, for this reason.
    Close(u16, &'static str),
    /// The other side has gone.
    Gone,
    /// The client wants to go on with a connection.
    Resume(Result<Resume, ResumeFailed>),
}

/// How long the other side may take to close, too.
const CLOSING: Duration = Duration::from_secs(2);

const ENDED: Next = Next::Close(close_code::AWAY, "the connection has ended");

impl Socket {
    async fn run(mut self, upgraded: WebSocket) {
        let options = self.connections.options.clone();
        let (mut sink, mut stream) = upgraded.split();
        let mut missed = None;
        let mut first = if self.reading.is_some() { First::Anything } else { First::Resume };
        let (code, reason) = loop {
            let connection = self.connection.clone();
            let present = self.reading.is_some().then(|| connection.presence.enter());
            let next = tokio::select! {
                next = write(&mut sink, &connection, self.reading.as_mut(), missed.take(), &options) => next,
                next = read(&mut stream, &connection, first, &options) => next,
            };
            let asked = match next {
                Next::Close(code, reason) => break (code, reason),
                Next::Gone => return,
                Next::Resume(asked) => asked,
            };
            drop(present);
            first = First::Past;
            match self.resume(asked) {
                Ok(behind) => {
                    connection.counters.resumed.add(1);
                    missed = Some(behind);
                }
                Err(failed) => {
                    connection.counters.not_resumed.add(1);
                    let _ = timeout(options.stall_timeout, sink.send(Frame::text(failed.message()))).await;
                    // Who has begun a connection for it has that one, and may go on with `initialize`.
                    if self.reading.is_none() {
                        break (close_code::POLICY, "there is nothing to go on with");
                    }
                }
            }
        };
        tracing::debug!(target: TARGET, { acp.connection.id = %self.connection.id.simple() }, "closed a WebSocket: {reason}");
        let frame = Frame::Close(Some(CloseFrame { code, reason: reason.into() }));
        if timeout(options.stall_timeout, sink.send(frame)).await.is_ok() {
            // A connection of TCP that is closed with bytes unread may lose what was sent over it.
            let closed = async { while let Some(Ok(_)) = stream.next().await {} };
            let _ = timeout(CLOSING, closed).await;
        }
    }

    /// Goes on with the connection that the client asks for. Returns what the client has missed.
    fn resume(&mut self, asked: Result<Resume, ResumeFailed>) -> Result<Vec<Bytes>, ResumeFailed> {
        let asked = asked?;
        let is_new = self.reading.is_some();
        let connection = match &asked.connection_id {
            Some(id) => self.connections.find(id, self.principal.as_ref()).ok_or(ResumeFailed::Connection)?,
            None if is_new => return Err(ResumeFailed::Malformed),
            None => self.connection.clone(),
        };
        if connection.is_routed || !is_new && connection.id != self.connection.id {
            return Err(ResumeFailed::Connection);
        }
        let (missed, reading) = connection.streams.own().resume(asked.place()?).map_err(|why| match why {
            NotResumed::Gone(Gone::Unknown) => ResumeFailed::Unknown,
            NotResumed::Gone(Gone::Expired) => ResumeFailed::Expired,
            NotResumed::Ended => ResumeFailed::Connection,
        })?;
        self.reading = Some(reading);
        if is_new {
            // The upgrade has begun this one, because the request did not say that the client comes back.
            std::mem::replace(&mut self.connection, connection).end();
        }
        Ok(missed)
    }
}

/// Writes what the connection says. `missed` is what a client that comes back has missed.
async fn write(
    sink: &mut SplitSink<WebSocket, Frame>,
    connection: &Connection,
    reading: Option<&mut Reading>,
    missed: Option<Vec<Bytes>>,
    options: &HttpOptions,
) -> Next {
    let mut writer = Writer { sink, connection, options };
    let Some(reading) = reading else { return writer.ping_only().await };
    let mut is_untold = missed.is_some();
    if !writer.all(missed.unwrap_or_default()).await {
        return Next::Gone;
    }
    let mut waited = 0;
    loop {
        let said = poll_fn(|cx| {
            reading.poll_piece(cx, |piece, message, cursor| {
                durable::append_with_cursor(piece, &connection.leaves(message, None), cursor);
            })
        });
        let said = tokio::select! {
            biased;
            said = said => said,
            () = std::future::ready(()), if is_untold => {
                is_untold = false;
                if !writer.states().await {
                    return Next::Gone;
                }
                continue;
            }
            () = sleep(options.keepalive) => {
                if !writer.ping().await {
                    return Next::Gone;
                }
                continue;
            }
        };
        let Some((said, is_all)) = said else { return ENDED };
        waited += said.whole.len();
        if !writer.all(said.messages).await {
            return Next::Gone;
        }
        if is_untold && (is_all || waited > MOST_MISSED) {
            is_untold = false;
            if !writer.states().await {
                return Next::Gone;
            }
        }
    }
}

/// The half of a WebSocket that is written. Each function returns whether the other side is there still.
struct Writer<'s> {
    sink: &'s mut SplitSink<WebSocket, Frame>,
    connection: &'s Connection,
    options: &'s HttpOptions,
}

impl Writer<'_> {
    async fn ping_only(&mut self) -> Next {
        loop {
            sleep(self.options.keepalive).await;
            if !self.ping().await {
                return Next::Gone;
            }
        }
    }

    async fn ping(&mut self) -> bool {
        matches!(timeout(self.options.stall_timeout, self.sink.send(Frame::Ping(Bytes::new()))).await, Ok(Ok(())))
    }

    /// What the sessions do. These are no messages of the stream: they have no place.
    async fn states(&mut self) -> bool {
        self.all(self.connection.state_of_all().into_iter().map(Bytes::from).collect()).await
    }

    /// Writes messages, each in a frame, and hands them over together.
    async fn all(&mut self, messages: Vec<Bytes>) -> bool {
        for message in messages {
            let text = Utf8Bytes::try_from(message).expect("the runtime writes UTF-8");
            if !self.in_time(false, Some(Frame::Text(text))).await {
                return false;
            }
        }
        self.in_time(true, None).await
    }

    async fn in_time(&mut self, flush: bool, frame: Option<Frame>) -> bool {
        let sink = &mut *self.sink;
        let writing = async {
            if let Some(frame) = frame {
                sink.feed(frame).await?;
            }
            if flush { sink.flush().await } else { Ok(()) }
        };
        match timeout(self.options.stall_timeout, writing).await {
            Ok(written) => written.is_ok(),
            Err(_) => {
                self.connection.counters.stalled.add(1);
                tracing::debug!(target: TARGET, { acp.connection.id = %self.connection.id.simple() }, "the reader of a WebSocket takes nothing: it is let go");
                false
            }
        }
    }
}

async fn read(
    stream: &mut SplitStream<WebSocket>,
    connection: &Connection,
    mut first: First,
    options: &HttpOptions,
) -> Next {
    // Each frame shows that the other side is there: so does the answer to a ping.
    let silence = options.keepalive + options.stall_timeout;
    let until = Instant::now() + options.head_timeout;
    loop {
        let frame = tokio::select! {
            frame = stream.next() => frame,
            () = sleep(silence) => return Next::Close(close_code::AWAY, "the other side does not answer"),
            () = sleep_until(until), if first == First::Resume => return Next::Resume(Err(ResumeFailed::Missing)),
        };
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            // Messages are text; other frames mean nothing.
            Some(Ok(Frame::Binary(_) | Frame::Ping(_) | Frame::Pong(_))) => continue,
            Some(Ok(Frame::Close(_))) | None => return Next::Gone,
            Some(Err(_)) => return Next::Close(close_code::SIZE, "the message is too long, or no WebSocket frame"),
        };
        let message = Message::read(text.as_bytes());
        let resumes = message.as_ref().is_ok_and(|message| message.method() == durable::RESUME);
        match first {
            First::Past if resumes => {
                return Next::Close(close_code::POLICY, "`stream/resume` is the first message, or none");
            }
            First::Anything | First::Resume if resumes => return Next::Resume(Resume::read(text.as_bytes())),
            First::Resume => return Next::Resume(Err(ResumeFailed::Missing)),
            First::Anything | First::Past => first = First::Past,
        }
        // An id that is used twice is the client's own trouble here, as over stdio.
        let asked = match &message {
            Ok(message @ Message::Request { id, .. }) => connection.open.ask(id, message).is_ok().then_some(id),
            _ => None,
        };
        let answer = connection.streams.own().outbox().clone();
        if connection.pass(text.clone().into(), answer).await.is_err() {
            asked.inspect(|id| connection.withdraw(id));
            // What was said before leaves still. The client sees by the missing pong that the message was not read.
            std::future::pending::<()>().await;
        }
    }
}
