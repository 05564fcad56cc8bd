//! The values that a call lends to its handler until it is answered.

use std::sync::Arc;

use acp_peer::{Error, Responder, Result, rpc::Entered};
use serde::Serialize;
use tokio::sync::oneshot;

use super::{
    answer::IntoHandlerResult,
    handled::{Handled, Received},
};
use crate::{
    inbox::{asked::Asked, question::not_permitted},
    values::{Meta, SessionId},
};

/// A call while its handler works on it.
pub struct Lent<C, M: Handled> {
    pub(super) client: Arc<C>,
    pub(super) method: Box<str>,
    pub(super) received: Received<M>,
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
    /// The client, and the source of the handler's parameters.
    pub fn lend(&mut self) -> (&C, Parts<'_, M>) {
        let Self { client, method, received: Received { params, session, meta }, answer: _ } = self;
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
        returned.finish(self.method)
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
