//! The place where messages meet the hooks, in both directions.

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};
use tokio::sync::Notify;

use super::{
    hooks::Hooks,
    message::{Body, Kind, Pass, Passing},
    open::{Again, Asked, Cancel, Open},
};
use acp_peer::{
    Address, Error, Outbox, OutboxStream, Receive, TARGET,
    rpc::{CANCEL_REQUEST, Filter},
    transport::Frame,
    wire::{envelope::Incoming, message, quoted::Short},
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
        // A cancel was noted just now. So a request that goes on again does so before its cancel, or not at all.
        self.deliver(receive);
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
                if !passed.goes_on() {
                    return passed;
                }
                if let Some(cancel) = Cancel::read(&method, params) {
                    self.theirs.cancel(&cancel);
                }
                match self.theirs.enter(Asked::new(number, id, &method, params, stream)) {
                    None => passed,
                    Some(inner) => passed.with_id(line, &inner),
                }
            }
            Incoming::Notification { method, params } => {
                let passed = call(hook, None, self.number(), &method, params);
                let cancel = passed.goes_on().then(|| Cancel::read(&method, params)).flatten();
                match cancel.and_then(|cancel| self.theirs.cancel(&cancel)) {
                    None => passed,
                    Some(inner) => withdrawal(&inner).map_or(passed, Passed::Changed),
                }
            }
            Incoming::Response { id, outcome } => {
                let mut again = None;
                let passed = answer(hook, &self.ours, id, outcome, |line, _| again = Some(line));
                again.map_or(passed, Passed::Back)
            }
            // The answer to a request, or a line that is answered with an error.
            Incoming::Bare { .. } | Incoming::Invalid { .. } | Incoming::Ignored(_) => Passed::On,
        }
    }

    /// Hands over what the hooks have sent back to this side. What they send back meanwhile has to wait, so that hooks that
    /// never end do not hold up the reader.
    pub(super) fn deliver<R: Receive>(&self, receive: &mut R) {
        let waiting = lock(&self.back).len();
        for _ in 0..waiting {
            let Some((line, stream)) = lock(&self.back).pop_front() else { return };
            let frame = Frame::Line(line.trim_ascii_end());
            match &stream {
                None => receive.frame(frame),
                Some(stream) => receive.frame_from(frame, stream),
            }
        }
    }

    fn send_back(&self, line: Vec<u8>, stream: Option<OutboxStream>) {
        lock(&self.back).push_back((line, stream));
        self.sent_back.notify_one();
    }
}

impl<H: Hooks> Filter for Relay<H> {
    fn outgoing(&self, message: Vec<u8>) -> Option<Vec<u8>> {
        let hook = |message: &Passing<'_>| self.hooks.outgoing(message);
        let passed = match Incoming::read(&message) {
            Incoming::Request { id, method, params } => {
                let number = self.number();
                let passed = call(hook, Some(id), number, &method, params);
                if passed.goes_on() {
                    self.ours.enter(Asked::new(number, id, &method, params, None));
                }
                passed
            }
            Incoming::Notification { method, params } => {
                // The other side may leave a withdrawn request without an answer.
                if let Some(Cancel::Request(id)) = Cancel::read(&method, params) {
                    self.ours.remove(id);
                }
                call(hook, None, self.number(), &method, params)
            }
            Incoming::Response { id, outcome } => {
                answer(hook, &self.theirs, id, outcome, |line, stream| self.send_back(line, stream))
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
                self.send_back(line, None);
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
    fn answered(id: Option<&RawValue>, answer: Result<&RawValue, Error>) -> Self {
        id.map_or(Self::Dropped, |id| Self::Back(answer_line(id, answer)))
    }

    /// The same request with another id. `line` is the one that came.
    fn with_id(self, line: &[u8], id: &RawValue) -> Self {
        let line = if let Self::Changed(changed) = &self { changed.trim_ascii_end() } else { line };
        let Incoming::Request { method, params, .. } = Incoming::read(line) else { return self };
        Self::Changed(Self::line(|line| message::call_as(line, Some(id), &method, params)))
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
        Pass::Answer(result) => Passed::answered(id, Ok(&*result)),
        Pass::Refuse(error) => Passed::answered(id, Err(error)),
    }
}

/// Asks a hook about the answer to one of the requests in `open`. `again` takes the request that goes on instead of its answer,
/// with the stream by which it came.
fn answer(
    hook: impl Fn(&Passing<'_>) -> Pass,
    open: &Open,
    id: &RawValue,
    outcome: Result<&RawValue, Error>,
    again: impl FnOnce(Vec<u8>, Option<OutboxStream>),
) -> Passed {
    let Some(asked) = open.find(id) else { return Passed::On };
    let body = outcome.as_ref().map_or_else(Body::Error, |result| Body::Result(result));
    let decided = decide(hook, &Passing::new(Kind::Answer, Some(&asked.id), asked.number, &asked.method, body));
    if !matches!(decided, Pass::To { .. }) {
        open.remove(id);
    }
    let line = |answer| Passed::Changed(answer_line(&asked.id, answer));
    match decided {
        Pass::As(result) if outcome.is_ok() => line(Ok(&*result)),
        // An error has no result that could be changed.
        Pass::On | Pass::As(_) if asked.id.get() == id.get() => Passed::On,
        Pass::On | Pass::As(_) => line(outcome),
        Pass::Answer(result) => line(Ok(&*result)),
        Pass::Refuse(error) => line(Err(error)),
        Pass::To { method, params } => {
            match open.again(id, || again(request(Some(id), &method, &params), asked.stream.clone())) {
                Again::GoesOn => Passed::Dropped,
                Again::Cancelled(answer) => line(answer.as_deref().map_err(Error::clone)),
                Again::Withdrawn => Passed::On,
            }
        }
    }
}

/// The line of an answer.
fn answer_line(id: &RawValue, answer: Result<&RawValue, Error>) -> Vec<u8> {
    Passed::line(|line| match &answer {
        Ok(result) => message::answer(line, id, Ok(&|line| serde_json::to_writer(line, result))),
        Err(error) => message::answer(line, id, Err(error)),
    })
}

/// The line that withdraws a request.
fn withdrawal(id: &RawValue) -> Option<Vec<u8>> {
    let params = to_raw_value(&json!({ "requestId": id })).ok()?;
    Some(request(None, CANCEL_REQUEST, &params))
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
