//! One side of the proxy. Its messages go to the other side.

use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use acp_peer::{
    Address, Error, Peer, rpc::CANCEL_REQUEST, wire::envelope::Incoming as Message, wire::message::call_as,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    Hook, Watch,
    hook::{Pass, Passing, Side},
    open::{Asked, Open, Watched},
    splice::{end, has_two_ids, place, splice},
};
use crate::{
    hooks::{self, Body, Kind},
    transport::{Frame, Limits, Receive},
};

const FULL: &str = "as many requests wait for an answer as the proxy passes on; ask again when some are answered";

pub(super) struct Shared {
    pub(super) client: Half,
    pub(super) agent: Half,
    pub(super) answers: HashMap<String, Hook>,
    pub(super) watch: Option<Watch>,
    /// The next number of a message for hooks.
    pub(super) next: AtomicU64,
    pub(super) limits: Limits,
}

pub(super) struct Half {
    pub(super) peer: Arc<Peer>,
    /// The open requests that the other side sent to this side.
    pub(super) open: Open,
    hooks: HashMap<String, Hook>,
}

impl Half {
    pub(super) fn new(peer: Arc<Peer>, hooks: HashMap<String, Hook>) -> Self {
        Self { peer, open: Open::default(), hooks }
    }
}

/// Reads the messages of one side.
pub(super) struct Reader {
    shared: Arc<Shared>,
    from: Side,
}

impl Receive for Reader {
    fn frame(&mut self, frame: Frame<'_>) {
        self.take(frame);
    }

    /// Whether the other side has too many unsent messages. The proxy checks this after each message, and then stops
    /// reading.
    fn is_full(&self) -> bool {
        !self.to().peer.has_room()
    }

    async fn room(&mut self) {
        // An error means that the other side is gone. The other side's own reader notices this.
        let _ = self.to().peer.room(Address::Connection).await;
    }
}

impl Reader {
    pub(super) fn new(shared: &Arc<Shared>, from: Side) -> Self {
        Self { shared: shared.clone(), from }
    }

    fn side(&self) -> &Half {
        match self.from {
            Side::Client => &self.shared.client,
            Side::Agent => &self.shared.agent,
        }
    }

    fn to(&self) -> &Half {
        match self.from {
            Side::Client => &self.shared.agent,
            Side::Agent => &self.shared.client,
        }
    }

    fn take(&self, frame: Frame<'_>) {
        let (line, message) = match frame {
            Frame::Line(line) => (line, Message::read(line)),
            Frame::TooLong(head) => (head, Message::too_long(head, self.shared.limits.line_bytes)),
        };
        if let Some(watch) = &self.shared.watch
            && catch_unwind(AssertUnwindSafe(|| watch(self.from, line))).is_err()
        {
            tracing::error!(from = ?self.from, "the function that watches a proxy panicked");
        }
        match message {
            Message::Request { id, method, params } => self.request(line, id, &method, params),
            Message::Notification { method, params } if method == CANCEL_REQUEST => self.withdraw(line, params),
            Message::Notification { method, params } => self.notification(line, &method, params),
            Message::Response { id, outcome } => self.answer(line, id, outcome, matches!(frame, Frame::TooLong(_))),
            Message::Bare { id } if self.side().open.is_open(id) => {
                let error = Error::internal_error("the answer has neither a result nor an error");
                self.answer(line, id, Err(error), true);
            }
            Message::Bare { id } => {
                self.invalid(line, Some(id), &Error::invalid_request("the message has no `method`"))
            }
            Message::Invalid { id, error } => self.invalid(line, id, &error),
            Message::Ignored(reason) => tracing::debug!(from = ?self.from, reason, "ignored a message"),
        }
    }

    fn request(&self, line: &[u8], id: &RawValue, method: &str, params: Option<&RawValue>) {
        let (peer, to) = (&self.side().peer, self.to());
        if has_two_ids(line) {
            return self.refuse(peer, id, &Error::invalid_request("the request has more than one member `id`"));
        }
        let asked = self.number();
        let (other, changed) = match self.hooked(Kind::Request, Some(id), asked, method, params) {
            Pass::As(params) => (None, Some(params)),
            Pass::To { method, params } => (Some(method), Some(params)),
            Pass::Answer(result) => return self.respond(peer, id, &result),
            Pass::Refuse(error) => return self.refuse(peer, id, &error),
            // `On`, and a decision that this version does not know.
            _ => (None, None),
        };
        let is_watched = self.shared.answers.contains_key(method);
        let watched = is_watched.then(|| Watched { method: method.into(), number: asked });
        let Some(number) = to.open.enter(id, watched, self.shared.limits.concurrent_handlers) else {
            return self.refuse(peer, id, &Error::internal_error(FULL));
        };
        let number = number_id(number);
        if let Some(method) = other {
            return self.pass_call(to, Some(&number), &method, changed.as_deref());
        }
        self.pass(to, line, Some((id.get(), number.get())), params, changed.as_deref());
    }

    fn notification(&self, line: &[u8], method: &str, params: Option<&RawValue>) {
        match self.hooked(Kind::Notification, None, self.number(), method, params) {
            Pass::As(changed) => self.pass(self.to(), line, None, params, Some(&changed)),
            Pass::To { method, params } => self.pass_call(self.to(), None, &method, Some(&params)),
            Pass::Answer(_) | Pass::Refuse(_) => {}
            _ => self.pass(self.to(), line, None, None, None),
        }
    }

    /// Withdraws a request of this side. The other side knows the request by another number.
    fn withdraw(&self, line: &[u8], params: Option<&RawValue>) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Withdrawn<'a> {
            #[serde(borrow)]
            request_id: &'a RawValue,
        }
        let id = params.and_then(|params| serde_json::from_str(params.get()).ok());
        let Some(Withdrawn { request_id }) = id else {
            return tracing::debug!(from = ?self.from, "ignored a malformed `$/cancel_request`");
        };
        // The request is already answered, or never existed.
        let Some(number) = self.to().open.number(request_id) else { return };
        self.pass(self.to(), line, Some((request_id.get(), &number.to_string())), None, None);
    }

    fn answer(&self, line: &[u8], id: &RawValue, outcome: Result<&RawValue, Error>, is_unsound: bool) {
        let Some(Asked { id: original, watched }) = self.side().open.take(id) else {
            return tracing::debug!(from = ?self.from, "ignored an answer to no open request");
        };
        let to = self.to();
        if has_two_ids(line) {
            let error = Error::internal_error("the answer has more than one member `id`");
            return self.refuse(&to.peer, &original, &error);
        }
        let hook = watched.as_ref().and_then(|watched| Some((watched, self.shared.answers.get(&*watched.method)?)));
        let decided = hook.map_or(Pass::On, |(watched, hook)| {
            let body = outcome.as_ref().map_or_else(Body::Error, |result| Body::Result(result));
            let message = hooks::Passing::new(Kind::Answer, Some(&original), watched.number, &watched.method, body);
            decide(hook, &Passing::new(self.from, message))
        });
        match (decided, outcome) {
            (Pass::As(changed) | Pass::Answer(changed), Ok(result)) => {
                self.pass(to, line, Some((id.get(), original.get())), Some(result), Some(&changed));
            }
            (Pass::Answer(changed), Err(_)) => self.respond(&to.peer, &original, &changed),
            (Pass::To { method, params }, _) => {
                let Some(number) = self.side().open.enter(&original, watched, self.shared.limits.concurrent_handlers)
                else {
                    return self.refuse(&to.peer, &original, &Error::internal_error(FULL));
                };
                self.pass_call(self.side(), Some(&number_id(number)), &method, Some(&params));
            }
            (Pass::Refuse(error), _) => self.refuse(&to.peer, &original, &error),
            // `On`, and `As`, which changes no error.
            (_, Err(error)) if is_unsound => self.refuse(&to.peer, &original, &error),
            (_, _) => self.pass(to, line, Some((id.get(), original.get())), None, None),
        }
    }

    fn invalid(&self, line: &[u8], id: Option<&RawValue>, error: &Error) {
        tracing::debug!(from = ?self.from, %error, "a line that is no message was not passed on");
        // An agent's banner needs no answer, and some agents fail on one. But if the line is a request, the agent waits
        // for an answer.
        if self.from == Side::Client || (id.is_some() && line.starts_with(b"{")) {
            self.side().peer.refuse(Address::Connection, id, error);
            self.side().peer.outbox.flush();
        }
    }

    /// A number for the hooks.
    fn number(&self) -> u64 {
        self.shared.next.fetch_add(1, Ordering::Relaxed)
    }

    fn hooked(&self, kind: Kind, id: Option<&RawValue>, number: u64, method: &str, params: Option<&RawValue>) -> Pass {
        let hook = self.side().hooks.get(method);
        hook.map_or(Pass::On, |hook| {
            let message = hooks::Passing::new(kind, id, number, method, Body::Params(params));
            decide(hook, &Passing::new(self.from, message))
        })
    }

    /// Passes on what a hook has made of a request or a notification.
    fn pass_call(&self, to: &Half, id: Option<&RawValue>, method: &str, params: Option<&RawValue>) {
        to.peer.put_now(Address::Connection, &mut |buffer| {
            call_as(buffer, id, method, params);
            Ok(())
        });
    }

    /// Passes a line on. If a new id, or new params or a new result are given, they replace the old ones.
    fn pass(
        &self,
        to: &Half,
        line: &[u8],
        id: Option<(&str, &str)>,
        body: Option<&RawValue>,
        changed: Option<&RawValue>,
    ) {
        // `null` stands for params that are absent.
        let added = changed
            .filter(|params| body.is_none() && params.get() != "null")
            .map(|params| format!(r#","params":{}"#, params.get()));
        let id = id.map(|(found, id)| (place(line, found), id));
        let body = changed.zip(body).map(|(changed, body)| (place(line, body.get()), changed.get()));
        let added = added.as_deref().map(|text| (Some(end(line)), text));
        let mut replaced = Vec::with_capacity(2);
        for (place, text) in [id, body, added].into_iter().flatten() {
            let Some(place) = place else {
                return tracing::error!("a message was not passed on: a part of it was not found again");
            };
            replaced.push((place, text));
        }
        replaced.sort_by_key(|(place, _)| place.start);
        to.peer.put_now(Address::Connection, &mut |buffer| {
            splice(buffer, line, &replaced);
            Ok(())
        });
    }

    fn respond(&self, peer: &Arc<Peer>, id: &RawValue, result: &RawValue) {
        acp_peer::Responder::new(peer, id, None).respond(Ok(result));
        peer.outbox.flush();
    }

    fn refuse(&self, peer: &Peer, id: &RawValue, error: &Error) {
        peer.refuse(Address::Connection, Some(id), error);
        peer.outbox.flush();
    }
}

/// The id by which the other side knows a request.
fn number_id(number: u64) -> Box<RawValue> {
    RawValue::from_string(number.to_string()).expect("a number is JSON")
}

/// Asks a hook. If the hook panics, a request gets an error, so that its sender does not wait for ever.
fn decide(hook: &Hook, message: &Passing<'_>) -> Pass {
    catch_unwind(AssertUnwindSafe(|| hook(message))).unwrap_or_else(|_| {
        tracing::error!(from = ?message.sender(), method = message.method(), "a hook of the proxy panicked");
        Pass::Refuse(Error::internal_error(format!("the proxy's hook for `{}` panicked", message.method())))
    })
}
