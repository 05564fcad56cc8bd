//! The place where messages meet the hooks, in both directions.

use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use super::{
    Hooks,
    message::{Body, Kind, Pass, Passing},
};
use crate::{
    TARGET,
    rpc::{Address, CANCEL_REQUEST, Filter, Outbox, OutboxStream, Receive, id_key},
    transport::Frame,
    wire::{
        envelope::Incoming,
        error::{Error, Short},
        message,
    },
};

/// The hooks of one connection, and the requests that are open in either direction.
pub(super) struct Relay<H> {
    hooks: H,
    /// The last number of a message.
    last: AtomicU64,
    /// The requests of the other side.
    theirs: Open,
    /// The requests of this side.
    ours: Open,
    /// Messages that the hooks have sent back to this side, each with the stream of the request.
    back: Mutex<VecDeque<(Vec<u8>, Option<OutboxStream>)>>,
    /// Tells the reader of them.
    pub(super) sent_back: Notify,
}

impl<H: Hooks> Relay<H> {
    pub(super) fn new(hooks: H) -> Arc<Self> {
        let (last, theirs, ours, back, sent_back) = Default::default();
        Arc::new(Self { hooks, last, theirs, ours, back, sent_back })
    }

    fn number(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed)
    }

    /// Passes a message of the other side on to `receive`. `outbox` is the one of the transport.
    pub(super) fn incoming<R: Receive>(
        &self,
        receive: &mut R,
        outbox: &Outbox,
        frame: Frame<'_>,
        stream: Option<&OutboxStream>,
    ) {
        let passed = match frame {
            Frame::Line(line) => self.judge_incoming(line, stream),
            Frame::TooLong(_) => Passed::On,
        };
        let changed;
        let frame = match passed {
            Passed::On => frame,
            Passed::Changed(line) => {
                changed = line;
                Frame::Line(changed.trim_ascii_end())
            }
            Passed::Back(line) => {
                let way = stream.map(OutboxStream::way);
                let written = outbox.put(Address::Stream(way.as_ref()), &mut |buffer| buffer.extend_from_slice(&line));
                if let Err(closed) = written {
                    tracing::debug!(target: TARGET, "a message of a hook was not sent: {closed}");
                }
                return;
            }
            Passed::Dropped => return,
        };
        match stream {
            None => receive.frame(frame),
            Some(stream) => receive.frame_from(frame, stream),
        }
    }

    fn judge_incoming(&self, line: &[u8], stream: Option<&OutboxStream>) -> Passed {
        let hook = |message: &Passing<'_>| self.hooks.incoming(message);
        match Incoming::read(line) {
            Incoming::Request { id, method, params } => {
                let number = self.number();
                let passed = call(hook, Some(id), number, &method, params);
                if passed.goes_on() {
                    self.theirs.enter(id, Asked { number, method: (*method).into(), stream: stream.cloned() });
                }
                passed
            }
            Incoming::Notification { method, params } => call(hook, None, self.number(), &method, params),
            Incoming::Response { id, outcome } => answer(hook, &self.ours, id, outcome).0,
            // The answer to a request, or a line that is answered with an error.
            Incoming::Bare { .. } | Incoming::Invalid { .. } | Incoming::Ignored(_) => Passed::On,
        }
    }

    /// Hands over what the hooks have sent back to this side.
    pub(super) fn deliver<R: Receive>(&self, receive: &mut R) {
        loop {
            let Some((line, stream)) = lock(&self.back).pop_front() else { return };
            let frame = Frame::Line(line.trim_ascii_end());
            match &stream {
                None => receive.frame(frame),
                Some(stream) => receive.frame_from(frame, stream),
            }
        }
    }

    /// Forgets a request of this side. The other side may leave it without an answer.
    fn withdraw(&self, params: Option<&RawValue>) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Withdrawn<'a> {
            #[serde(borrow)]
            request_id: &'a RawValue,
        }
        if let Some(Ok(Withdrawn { request_id })) = params.map(|params| serde_json::from_str(params.get())) {
            self.ours.take(request_id);
        }
    }
}

impl<H: Hooks> Filter for Relay<H> {
    fn outgoing(&self, message: Vec<u8>) -> Option<Vec<u8>> {
        let hook = |message: &Passing<'_>| self.hooks.outgoing(message);
        let mut stream = None;
        let passed = match Incoming::read(&message) {
            Incoming::Request { id, method, params } => {
                let number = self.number();
                let passed = call(hook, Some(id), number, &method, params);
                if passed.goes_on() {
                    self.ours.enter(id, Asked { number, method: (*method).into(), stream: None });
                }
                passed
            }
            Incoming::Notification { method, params } => {
                if method == CANCEL_REQUEST {
                    self.withdraw(params);
                }
                call(hook, None, self.number(), &method, params)
            }
            Incoming::Response { id, outcome } => {
                let (passed, of_request) = answer(hook, &self.theirs, id, outcome);
                stream = of_request;
                passed
            }
            // The answer to a line that is no request.
            Incoming::Bare { .. } | Incoming::Invalid { .. } | Incoming::Ignored(_) => Passed::On,
        };
        match passed {
            Passed::On => Some(message),
            Passed::Changed(mut line) => {
                line.pop(); // the line end
                Some(line)
            }
            Passed::Back(line) => {
                lock(&self.back).push_back((line, stream));
                self.sent_back.notify_one();
                None
            }
            Passed::Dropped => None,
        }
    }
}

/// What became of a message. A line has its end.
enum Passed {
    On,
    Changed(Vec<u8>),
    /// This line goes back to the sender: the answer to its request, or a request instead of its answer.
    Back(Vec<u8>),
    Dropped,
}

impl Passed {
    fn goes_on(&self) -> bool {
        matches!(self, Self::On | Self::Changed(_))
    }

    fn line(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut line = Vec::new();
        write(&mut line);
        line
    }

    /// The answer to a request; a notification has none.
    fn answered(id: Option<&RawValue>, answer: Result<Box<RawValue>, Error>) -> Self {
        let Some(id) = id else { return Self::Dropped };
        Self::Back(Self::line(|line| match &answer {
            Ok(result) => message::answer(line, id, Ok(&|line| serde_json::to_writer(line, result))),
            Err(error) => message::answer(line, id, Err(error)),
        }))
    }
}

/// Asks a hook about a request or a notification.
fn call(
    hook: impl Fn(&Passing<'_>) -> Pass,
    id: Option<&RawValue>,
    number: u64,
    method: &str,
    params: Option<&RawValue>,
) -> Passed {
    let kind = if id.is_some() { Kind::Request } else { Kind::Notification };
    match decide(hook, &Passing::new(kind, id, number, method, Body::Params(params))) {
        Pass::On => Passed::On,
        Pass::As(params) => Passed::Changed(request(id, method, &params)),
        Pass::To { method, params } => Passed::Changed(request(id, &method, &params)),
        Pass::Answer(result) => Passed::answered(id, Ok(result)),
        Pass::Refuse(error) => Passed::answered(id, Err(error)),
    }
}

/// Asks a hook about the answer to one of the requests in `open`. Returns the stream of this request, too.
fn answer(
    hook: impl Fn(&Passing<'_>) -> Pass,
    open: &Open,
    id: &RawValue,
    outcome: Result<&RawValue, Error>,
) -> (Passed, Option<OutboxStream>) {
    let Some(asked) = open.take(id) else { return (Passed::On, None) };
    let body = outcome.as_ref().map_or_else(Body::Error, |result| Body::Result(result));
    let answer = match decide(hook, &Passing::new(Kind::Answer, Some(id), asked.number, &asked.method, body)) {
        Pass::On => return (Passed::On, None),
        Pass::As(result) | Pass::Answer(result) => Ok(result),
        Pass::Refuse(error) => Err(error),
        Pass::To { method, params } => {
            let stream = asked.stream.clone();
            open.enter(id, asked);
            return (Passed::Back(request(Some(id), &method, &params)), stream);
        }
    };
    match Passed::answered(Some(id), answer) {
        Passed::Back(line) => (Passed::Changed(line), None),
        other => (other, None),
    }
}

/// The line of a request, or of a notification.
fn request(id: Option<&RawValue>, method: &str, params: &RawValue) -> Vec<u8> {
    Passed::line(|line| message::call_as(line, id, method, Some(params)))
}

/// Asks a hook. If the hook panics, a request gets an error, so that nobody waits for ever.
fn decide(hook: impl Fn(&Passing<'_>) -> Pass, message: &Passing<'_>) -> Pass {
    catch_unwind(AssertUnwindSafe(|| hook(message))).unwrap_or_else(|_| {
        tracing::error!(target: TARGET, method = %Short(message.method()), "a hook of the transport panicked");
        Pass::Refuse(Error::internal_error("a hook of the transport panicked"))
    })
}

/// Open requests, by the text of their ids. Of requests with one id, the first is answered first.
#[derive(Default)]
struct Open(Mutex<HashMap<Box<str>, VecDeque<Asked>>>);

/// An open request.
struct Asked {
    number: u64,
    method: Box<str>,
    /// The stream by which it came.
    stream: Option<OutboxStream>,
}

impl Open {
    fn enter(&self, id: &RawValue, asked: Asked) {
        lock(&self.0).entry(id_key(id).into()).or_default().push_back(asked);
    }

    fn take(&self, id: &RawValue) -> Option<Asked> {
        let (mut open, key) = (lock(&self.0), id_key(id));
        let asked = open.get_mut(&*key)?;
        let first = asked.pop_front();
        if asked.is_empty() {
            open.remove(&*key);
        }
        first
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
