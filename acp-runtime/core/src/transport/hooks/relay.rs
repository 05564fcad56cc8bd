//! The place where messages meet the hooks, in both directions.

use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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
    /// The methods of the other side's requests.
    theirs: Open,
    /// The methods of this side's requests.
    ours: Open,
    /// Answers that the hooks gave to this side's requests.
    replies: Mutex<VecDeque<Vec<u8>>>,
    /// Tells the reader of them.
    pub(super) replied: Notify,
}

impl<H: Hooks> Relay<H> {
    pub(super) fn new(hooks: H) -> Arc<Self> {
        let (theirs, ours, replies, replied) = Default::default();
        Arc::new(Self { hooks, theirs, ours, replies, replied })
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
            Frame::Line(line) => self.judge_incoming(line),
            Frame::TooLong(_) => Passed::On,
        };
        let changed;
        let frame = match passed {
            Passed::On => frame,
            Passed::Changed(line) => {
                changed = line;
                Frame::Line(changed.trim_ascii_end())
            }
            Passed::Answered(answer) => {
                let way = stream.map(OutboxStream::way);
                let written =
                    outbox.put(Address::Stream(way.as_ref()), &mut |buffer| buffer.extend_from_slice(&answer));
                if let Err(closed) = written {
                    tracing::debug!(target: TARGET, "an answer of a hook was not sent: {closed}");
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

    fn judge_incoming(&self, line: &[u8]) -> Passed {
        let hook = |message: &Passing<'_>| self.hooks.incoming(message);
        match Incoming::read(line) {
            Incoming::Request { id, method, params } => {
                let passed = call(hook, Some(id), &method, params);
                if passed.goes_on() {
                    self.theirs.enter(id, &method);
                }
                passed
            }
            Incoming::Notification { method, params } => call(hook, None, &method, params),
            Incoming::Response { id, outcome } => {
                self.ours.take(id).map_or(Passed::On, |method| answer(hook, id, &method, outcome))
            }
            // The answer to a request, or a line that is answered with an error.
            Incoming::Bare { .. } | Incoming::Invalid { .. } | Incoming::Ignored(_) => Passed::On,
        }
    }

    /// Hands the answers of the hooks to the side that has asked.
    pub(super) fn deliver<R: Receive>(&self, receive: &mut R) {
        loop {
            let Some(reply) = lock(&self.replies).pop_front() else { return };
            receive.frame(Frame::Line(reply.trim_ascii_end()));
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
        let passed = match Incoming::read(&message) {
            Incoming::Request { id, method, params } => {
                let passed = call(hook, Some(id), &method, params);
                if passed.goes_on() {
                    self.ours.enter(id, &method);
                }
                passed
            }
            Incoming::Notification { method, params } => {
                if method == CANCEL_REQUEST {
                    self.withdraw(params);
                }
                call(hook, None, &method, params)
            }
            Incoming::Response { id, outcome } => {
                self.theirs.take(id).map_or(Passed::On, |method| answer(hook, id, &method, outcome))
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
            Passed::Answered(line) => {
                lock(&self.replies).push_back(line);
                self.replied.notify_one();
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
    /// The request has this answer.
    Answered(Vec<u8>),
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
        Self::Answered(Self::line(|line| match &answer {
            Ok(result) => message::answer(line, id, Ok(&|line| serde_json::to_writer(line, result))),
            Err(error) => message::answer(line, id, Err(error)),
        }))
    }
}

/// Asks a hook about a request or a notification.
fn call(hook: impl Fn(&Passing<'_>) -> Pass, id: Option<&RawValue>, method: &str, params: Option<&RawValue>) -> Passed {
    let kind = if id.is_some() { Kind::Request } else { Kind::Notification };
    let changed = |method: &str, params: &RawValue| {
        Passed::Changed(Passed::line(|line| message::call_as(line, id, method, Some(params))))
    };
    match decide(hook, &Passing::new(kind, id, method, Body::Params(params))) {
        Pass::On => Passed::On,
        Pass::As(params) => changed(method, &params),
        Pass::To { method, params } => changed(&method, &params),
        Pass::Answer(result) => Passed::answered(id, Ok(result)),
        Pass::Refuse(error) => Passed::answered(id, Err(error)),
    }
}

/// Asks a hook about an answer.
fn answer(
    hook: impl Fn(&Passing<'_>) -> Pass,
    id: &RawValue,
    method: &str,
    outcome: Result<&RawValue, Error>,
) -> Passed {
    let body = outcome.as_ref().map_or_else(Body::Error, |result| Body::Result(result));
    let answer = match decide(hook, &Passing::new(Kind::Answer, Some(id), method, body)) {
        Pass::On => return Passed::On,
        Pass::As(result) | Pass::Answer(result) | Pass::To { params: result, .. } => Ok(result),
        Pass::Refuse(error) => Err(error),
    };
    match Passed::answered(Some(id), answer) {
        Passed::Answered(line) => Passed::Changed(line),
        other => other,
    }
}

/// Asks a hook. If the hook panics, a request gets an error, so that nobody waits for ever.
fn decide(hook: impl Fn(&Passing<'_>) -> Pass, message: &Passing<'_>) -> Pass {
    catch_unwind(AssertUnwindSafe(|| hook(message))).unwrap_or_else(|_| {
        tracing::error!(target: TARGET, method = %Short(message.method()), "a hook of the transport panicked");
        Pass::Refuse(Error::internal_error("a hook of the transport panicked"))
    })
}

/// Open requests: their methods by the text of their ids. Of requests with one id, the first is answered first.
#[derive(Default)]
struct Open(Mutex<HashMap<Box<str>, VecDeque<Box<str>>>>);

impl Open {
    fn enter(&self, id: &RawValue, method: &str) {
        lock(&self.0).entry(id_key(id).into()).or_default().push_back(method.into());
    }

    fn take(&self, id: &RawValue) -> Option<Box<str>> {
        let (mut open, key) = (lock(&self.0), id_key(id));
        let methods = open.get_mut(&*key)?;
        let method = methods.pop_front();
        if methods.is_empty() {
            open.remove(&*key);
        }
        method
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
