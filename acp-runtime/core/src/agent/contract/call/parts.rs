//! The parts of a call from which the parameters of its handler are made.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::{
    answer::IntoHandlerResult, attachment::Attachment, declaration::Handlers, shared::GivenBy, threading::Keeps,
};
use crate::{
    agent::{context::LentContext, methods::Handled, params::Params},
    client::{Client, line::Line},
    session::{ClosedSession, Replay, SessionHandle},
    values::{self, SessionId},
    wire::{Error, Result},
};

/// One call of a handler, as an extractor sees it: the parts from which the handler's parameters are made. See
/// [`FromCall`](crate::agent::FromCall).
pub struct Parts<'c, A: Handlers, M: Handled<A>> {
    /// The name of the handler.
    pub(super) handler: &'static str,
    pub(super) lent: LentContext<'c, A>,
    pub(super) request: Option<M::Params>,
    pub(super) meta: Option<values::Meta>,
    /// The request's id.
    pub(super) asked_by: Option<&'c RawValue>,
}

impl<'c, A: Handlers, M: Handled<A>> Parts<'c, A, M> {
    /// The handler's `&self`: the agent. If the agent is its own config, the session's options.
    pub fn receiver(&self) -> <A::Threading as Keeps<A>>::Lent<'c> {
        self.lent.receiver.clone()
    }

    /// The request. Only one parameter can take it: `None` if another parameter already has.
    pub fn take_request(&mut self) -> Option<M::Params> {
        let request = self.request.take()?;
        self.meta = request.meta();
        Some(request)
    }

    /// The return value of the handler of a method, as the runtime represents it.
    ///
    /// # Errors
    ///
    /// The handler's own error, or the error of an answer that cannot be written as JSON.
    // This is no function of `CallGuard`, because the returned value may borrow from the guard. It is no `async fn`,
    // because the compiler would report a failed bound twice.
    #[doc(hidden)]
    pub fn answer<R: IntoHandlerResult<M, A, Shape>, Shape>(&self, returned: R) -> Result<M::Answer> {
        returned.finish(self.handler)
    }

    /// As [`answer`](Self::answer), of a handler that opens a session.
    #[doc(hidden)]
    pub fn opens<R: IntoHandlerResult<M, A, Shape>, Shape>(&self, returned: R) -> Result<M::Answer>
    where
        A::Shared: GivenBy<Shape>,
    {
        returned.finish(self.handler)
    }

    /// The request's `_meta`; `None` if the request has none.
    pub fn meta(&self) -> Option<values::Meta> {
        match &self.request {
            Some(request) => request.meta(),
            None => self.meta.clone(),
        }
    }

    /// The id of the call's session. `None` if the call belongs to no session; the call of an extension method may have
    /// none.
    pub fn session_id(&self) -> Option<&'c SessionId> {
        self.lent.session_id
    }

    /// The client, on behalf of this call. When the call is cancelled, its requests to the client are withdrawn.
    pub fn client(&self) -> Client {
        let (line, cancel) = (self.line(), self.lent.cancel.clone());
        match self.lent.session_id.filter(|_| !M::IS_UNNAMED) {
            Some(id) => Client::new(line, Some(id.clone()), cancel),
            None => Client::of_request(line, self.asked_by, cancel),
        }
    }

    pub(crate) fn line(&self) -> Arc<Line> {
        self.lent.line.clone()
    }

    /// The request, for parameters that leave it in its place.
    pub(crate) fn borrowed_request(&self) -> Result<&M::Params> {
        self.request.as_ref().ok_or_else(|| absent("the request"))
    }

    /// The request, which stays in the call.
    pub(crate) fn request_mut(&mut self) -> Option<&mut M::Params> {
        self.request.as_mut()
    }

    pub(crate) fn request(&mut self) -> Result<M::Params> {
        self.take_request().ok_or_else(|| absent("the request"))
    }

    /// The request, of which several parameters take parts.
    pub(crate) fn request_in_place(&mut self) -> Result<&mut M::Params> {
        self.request.as_mut().ok_or_else(|| absent("the request"))
    }

    /// The request, for any number of parameters.
    pub(crate) fn params(&self) -> Result<M::Params>
    where
        M::Params: Copy,
    {
        self.request.ok_or_else(|| absent("the request"))
    }

    pub(crate) fn replay(&self) -> Result<Replay> {
        self.lent.replaying.map(Replay::new).ok_or_else(|| absent("the replay"))
    }

    /// The handle of the session, if the session is active.
    pub(crate) fn handle(&self) -> Option<SessionHandle<A::Config>> {
        self.lent.handle.cloned()
    }

    /// The part that the handlers of the session share.
    pub(crate) fn shared(&self) -> Result<A::Shared> {
        Attachment::<A>::shared_of(self.lent.handle.ok_or_else(|| absent("the session"))?)
    }

    pub(crate) fn session(&self) -> Result<SessionHandle<A::Config>> {
        self.handle().ok_or_else(|| absent("the session"))
    }

    pub(crate) fn state(&mut self) -> Result<&'c mut A::Session> {
        self.lent.state.take().ok_or_else(|| absent("the session"))
    }

    pub(crate) fn take_ended(&mut self) -> Option<ClosedSession<A::Session>> {
        self.lent.ended.take()
    }

    pub(crate) fn ended(&mut self) -> Result<ClosedSession<A::Session>> {
        self.take_ended().ok_or_else(|| absent("the session"))
    }
}

/// The error of a parameter that needs a part which the call does not have.
pub(in crate::agent::contract) fn absent(what: &str) -> Error {
    Error::internal_error(format!("{what} is not part of this call"))
}
