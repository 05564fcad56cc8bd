//! The parts of a call from which the parameters of its handler are made.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{GivenBy, Handled, IntoHandlerResult};
use crate::{
    agent::{
        declaration::Keeps,
        kinds::Kind,
        model::{Attachment, CallContext, Connection, Handlers, LentAgent},
        params::Params,
    },
    client::{Client, line::Line},
    rpc::CancellationToken,
    session::SessionHandle,
    transport::Context,
    values::{self, SessionId},
    wire::{Error, Result},
};

/// What the handler of the method `M` gets of its call.
type Lent<'c, A, M> = <<M as Handled<A>>::Admitted as Kind<A>>::Lent<'c>;

/// One call of a handler, as an extractor sees it: the parts from which the handler's parameters are made. See
/// [`FromCall`](crate::agent::FromCall).
pub struct Parts<'c, A: Handlers, M: Handled<A>> {
    /// The name of the handler.
    handler: &'static str,
    receiver: LentAgent<'c, A>,
    line: &'c Arc<Line>,
    context: &'c Context,
    cancel: &'c CancellationToken,
    pub(in crate::agent) lent: Lent<'c, A, M>,
    pub(super) request: Option<M::Params>,
    meta: Option<values::Meta>,
    /// The request's id.
    asked_by: Option<&'c RawValue>,
}

impl<'c, A: Handlers, M: Handled<A>> Parts<'c, A, M> {
    pub(super) fn new(
        handler: &'static str,
        context: &'c CallContext<A>,
        lent: Lent<'c, A, M>,
        request: Option<M::Params>,
        meta: Option<values::Meta>,
        asked_by: Option<&'c RawValue>,
    ) -> Self {
        let CallContext { connection, receiver, cancel, .. } = context;
        let receiver = A::Threading::lend(receiver);
        let Connection { line, context, .. } = &**connection;
        Self { handler, receiver, line, context, cancel, lent, request, meta, asked_by }
    }

    /// The handler's `&self`: the agent. If the agent is its own config, the session's options.
    pub fn receiver(&self) -> <A::Threading as Keeps<A>>::Lent<'c> {
        self.receiver.clone()
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
        M::Admitted::lent_id(&self.lent)
    }

    /// The client, on behalf of this call. When the call is cancelled, its requests to the client are withdrawn.
    pub fn client(&self) -> Client {
        let (line, cancel) = (self.line(), self.cancel.clone());
        let client = match self.session_id().filter(|_| !M::IS_UNNAMED) {
            Some(id) => Client::new(line, Some(id.clone()), cancel),
            None => Client::of_request(line, self.asked_by, cancel),
        };
        let active = M::Admitted::active(&self.lent);
        let client = match active {
            Some(session) => session.handle.output().asked_by(client),
            None => client,
        };
        #[cfg(feature = "v2")]
        if M::Admitted::IS_TURN
            && let Some(session) = active
        {
            return session.handle.blocked_by(client);
        }
        client
    }

    /// What the transport knows of the client.
    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    pub(crate) fn line(&self) -> Arc<Line> {
        self.line.clone()
    }

    /// The request, for parameters that leave it in its place.
    pub(crate) fn borrowed_request(&self) -> Result<&M::Params> {
        self.request.as_ref().ok_or_else(|| absent("the request"))
    }

    pub(crate) fn request(&mut self) -> Result<M::Params> {
        self.take_request().ok_or_else(|| absent("the request"))
    }

    /// The request, of which several parameters take parts.
    pub(crate) fn request_in_place(&mut self) -> Result<&mut M::Params> {
        self.request.as_mut().ok_or_else(|| absent("the request"))
    }

    /// The handle of the session, if the session is active.
    pub(crate) fn handle(&self) -> Option<SessionHandle<A::Config>> {
        M::Admitted::active(&self.lent).map(|session| session.handle.clone())
    }

    /// The part that the handlers of the session share.
    pub(crate) fn shared(&self) -> Result<A::Shared> {
        let session = M::Admitted::active(&self.lent).ok_or_else(|| absent("the session"))?;
        Attachment::shared_of(session.attachment())
    }
}

/// The error of a parameter that needs a part which the call does not have.
pub(crate) fn absent(what: &str) -> Error {
    Error::internal_error(format!("{what} is not part of this call"))
}
