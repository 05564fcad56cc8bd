//! The values that a call lends to its handler until it is answered.

use std::sync::Arc;

use acp_peer::{Error, Responder, Result, rpc::Entered, wire::decode::from_json, wire::own::read as read_own};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use super::{
    answer::IntoHandlerResult,
    markers::{Handled, Received},
};
use crate::{
    session::asked::Asked,
    values::{Meta, RequestPermissionOutcome, RequestPermissionResponse, SessionId},
};

/// A call while its handler works on it.
pub struct Lent<C, M: Handled> {
    pub(super) client: Arc<C>,
    pub(super) method: Box<str>,
    pub(super) params: Option<M::Params>,
    pub(super) session: Option<SessionId>,
    pub(super) meta: Option<Meta>,
    pub(super) answer: Answer,
}

/// The source of a handler's parameters.
pub struct Parts<'c, M: Handled> {
    method: &'c str,
    params: Option<M::Params>,
    session: Option<&'c SessionId>,
    meta: Option<Meta>,
}

impl<C, M: Handled> Lent<C, M> {
    pub(super) fn new(client: Arc<C>, method: &str, received: Received<M>, answer: Answer) -> Self {
        let Received { params, session, meta } = received;
        Self { client, method: method.into(), params: Some(params), session, meta, answer }
    }

    /// The client, and the source of the handler's parameters.
    pub fn lend(&mut self) -> (&C, Parts<'_, M>) {
        let Self { client, method, params, session, meta, answer: _ } = self;
        (client, Parts { method, params: params.take(), session: session.as_ref(), meta: meta.take() })
    }

    /// Answers the call.
    pub fn finish(mut self, answer: Result<M::Response>) {
        self.answer.give(&self.method, answer);
    }
}

impl<'c, M: Handled> Parts<'c, M> {
    /// The call's name on the wire.
    pub(crate) fn method(&self) -> &'c str {
        self.method
    }

    /// The request.
    ///
    /// # Errors
    ///
    /// Another parameter has taken the request.
    pub fn request(&mut self) -> Result<M::Params> {
        self.params.take().ok_or_else(|| Error::internal_error("two parameters take the request"))
    }

    /// The session that the call belongs to.
    pub(super) fn session(&self) -> Result<&'c SessionId> {
        self.session.ok_or_else(|| Error::invalid_params("`sessionId` is missing"))
    }

    pub(super) fn meta(&mut self) -> Option<Meta> {
        self.meta.clone()
    }

    /// The handler's return value, in its form on the wire.
    ///
    /// # Errors
    ///
    /// The handler returned an error.
    pub fn answer<T, Shape>(&self, returned: T) -> Result<M::Response>
    where
        T: IntoHandlerResult<M, Shape>,
    {
        returned.finish()
    }
}

/// The answer to a call. If it is dropped before the handler has answered, it sends an error with the reason.
pub(super) struct Answer {
    pub(super) responder: Option<Responder>,
    pub(super) is_permission: bool,
    pub(super) _entered: Option<Entered>,
    /// Only set for a request. While it is there, the agent waits for the answer.
    pub(super) _asked: Option<Asked>,
    /// Only set for an update. Its drop tells the waiting task that the handler has ended.
    pub(super) _done: Option<oneshot::Sender<()>>,
}

impl Answer {
    pub(super) fn give<T: Serialize>(&mut self, method: &str, outcome: Result<T>) {
        match (self.responder.take(), outcome) {
            (Some(responder), outcome) => responder.respond(outcome),
            (None, Ok(_)) => {}
            (None, Err(error)) => tracing::warn!(method, code = error.code(), "the handler of a notification failed"),
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        let Some(responder) = self.responder.take() else { return };
        if std::thread::panicking() {
            return responder.respond::<()>(Err(Error::internal_error("the client's handler panicked")));
        }
        if self.is_permission {
            return responder.respond(Ok(not_permitted()));
        }
        responder.respond::<()>(Err(Error::request_cancelled()));
    }
}

pub(crate) fn not_permitted() -> RequestPermissionResponse {
    RequestPermissionResponse::new(RequestPermissionOutcome::Cancelled)
}

/// Decodes the params of a method of the protocol, which must be an object.
pub(crate) fn object<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T> {
    if params.is_some_and(|params| params.get().starts_with('[')) {
        return Err(Error::invalid_params(format!("the params of `{method}` are a list; it takes an object")));
    }
    from_json(text(params)).map_err(|error| unreadable(method, &error))
}

/// Decodes params of any type of the author's.
pub(crate) fn decode<T: DeserializeOwned>(method: &str, params: Option<&RawValue>) -> Result<T> {
    read_own(params.map_or("null", RawValue::get)).map_err(|error| unreadable(method, &error))
}

/// The text of params. If a method needs no params, absent params, `null` and `{}` have the same meaning.
fn text(params: Option<&RawValue>) -> &str {
    params.map(RawValue::get).filter(|params| *params != "null").unwrap_or("{}")
}

#[cold]
fn unreadable(method: &str, error: &serde_json::Error) -> Error {
    tracing::debug!(method, %error, "refused params");
    Error::invalid_params(format!("the params of `{method}` cannot be read: {error}"))
}
