//! One call: the runtime admits it, lends it to the handler, and answers it.
//!
//! In the expansion, a handler's arm is
//! `call.run::<Method, _, _>(threading, move |mut lent| async move { .. lent.finish(..).await })`. So each call has one
//! concrete future. The conclusion of an answer may wait. If the handler panics or the client withdraws the request,
//! [`CallGuard`] is dropped early. Its drop answers the call and never waits.

use std::{future::ready, pin::Pin, sync::Arc};

use serde_json::value::RawValue;
use tracing::Span;

use super::{
    answer::{IntoHandlerResult, OpenedSession},
    attachment::Attachment,
    declaration::Handlers,
    heard::heard_panic,
    shared::{GivenBy, default_shared},
    stored::serves,
    threading::{Keeps, SendUnlessLocal},
};
use crate::{
    TARGET,
    agent::{
        commands,
        connection::Connection,
        context::{CallContext, LentContext, end_dropped_turn},
        methods::{Handled, handlers},
        params::Params,
    },
    client::{Client, line::Line},
    rpc::{CancellationToken, Entered, Responder, Start},
    schema::Method,
    session::{ClosedSession, Replay, SessionHandle},
    values::{self, CloseSessionResponse, DeleteSessionResponse, SessionId},
    wire::{Error, Result, error::Short},
};

/// A call that has arrived: a request, or a notification, which needs no answer.
pub struct Call<'l, A: Handlers> {
    connection: &'l Arc<Connection<A>>,
    method: &'l str,
    /// The method's name as the client sent it. For a handler of a prefix, `method` is the handler's arm.
    sent: &'l str,
    params: Option<&'l RawValue>,
    responder: Option<Responder>,
}

impl<'l, A: Handlers> Call<'l, A> {
    pub(crate) fn new(
        connection: &'l Arc<Connection<A>>,
        method: &'l str,
        params: Option<&'l RawValue>,
        responder: Option<Responder>,
    ) -> Self {
        Self { connection, method, sent: method, params, responder }
    }

    /// Sets the method's name in the client's version of the protocol.
    pub(crate) fn sent_as(self, sent: &'l str) -> Self {
        Self { sent, ..self }
    }

    /// The method's name on the wire.
    pub fn method(&self) -> &'l str {
        self.method
    }

    /// Refuses a method that has no handler.
    pub fn unhandled(self) {
        if A::STORE.is_some() && (serves::<A>(self.method) || self.method == handlers::restore_session::ARM) {
            return self.serve_stored();
        }
        if self.method == handlers::new_session::NAME
            && let Some(new) = A::NEW_SESSION
        {
            let connection = self.connection;
            if let Some((lent, start, withdrawn)) = self.admit::<handlers::new_session>() {
                let opened = default_shared::<A>().map(|shared| OpenedSession::new(new()).shared(shared));
                connection.line.tasks.start(lent.finish(opened), start, withdrawn);
            }
        } else if let Some(responder) = self.responder {
            responder.respond::<()>(Err(Error::method_not_found(self.sent)));
        }
    }

    /// Serves a method by the store alone.
    fn serve_stored(self) {
        match self.method {
            handlers::restore_session::ARM => {
                self.answer_by::<handlers::restore_session>(|context, _| Box::pin(ready(context.restored_session())));
            }
            handlers::list_sessions::NAME => {
                self.answer_by::<handlers::list_sessions>(|context, request| context.list_stored(request));
            }
            handlers::close_session::NAME => {
                self.answer_by::<handlers::close_session>(|_, _| Box::pin(ready(Ok(CloseSessionResponse::new()))));
            }
            _ => {
                self.answer_by::<handlers::delete_session>(|_, _| Box::pin(ready(Ok(DeleteSessionResponse::new()))));
            }
        }
    }

    /// Answers with what `answer` makes of the request.
    fn answer_by<M>(self, answer: Answering<A, M>)
    where
        M: Handled<A>,
        M::Response: Send,
    {
        let connection = self.connection;
        if let Some((mut lent, start, withdrawn)) = self.admit::<M>() {
            let answered = async move {
                let answer = match lent.lend("store").await.map(|mut parts| parts.request.take()) {
                    Ok(request) => match &mut lent.context {
                        Some(context) => answer(context, request).await,
                        None => return,
                    },
                    Err(error) => Err(error),
                };
                lent.finish(answer).await;
            };
            connection.line.tasks.start(answered, start, withdrawn);
        }
    }

    /// Decodes and admits the call, then starts the handler. This function never waits.
    // The compiler shows the line of a failed bound, so this line says how to do without the bound.
    #[rustfmt::skip]
    pub fn run<M: Handled<A>, T, F>(self, _: T, handler: impl FnOnce(CallGuard<A, M>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let connection = self.connection;
        let method = self.method;
        if let Some((lent, start, withdrawn)) = self.admit() {
            let span = lent.span(method);
            handler(lent).start(&connection.line.tasks, start, withdrawn, span);
        }
    }

    /// Returns the guard that lends the call to the handler, and the way to start the handler. `None` if the call was
    /// refused.
    fn admit<M: Handled<A>>(self) -> Option<(CallGuard<A, M>, Start, Option<CancellationToken>)> {
        let Self { connection, method, sent, params, responder } = self;
        let mut context = CallContext::new(connection.clone());
        let admitted = M::Params::decode(params).and_then(|mut params| {
            M::called(&mut params, sent);
            M::relax(&mut params);
            M::admit(&mut context, &params)?;
            Ok(params)
        });
        let request = match admitted {
            Ok(request) => request,
            Err(error) => {
                match responder {
                    Some(responder) => responder.respond::<()>(Err(error)),
                    None => {
                        tracing::debug!(target: TARGET, method = %Short(method), code = error.code(), "refused a notification")
                    }
                }
                return None;
            }
        };
        let responder = responder.and_then(|responder| M::begin(&context, &request, responder));
        let start = match context.is_turn() {
            true => Start::Task,
            false => Start::Here(responder.as_ref().and_then(Responder::way).cloned()),
        };
        // A cancelled turn must end by itself. Other handlers are dropped at their next `.await`.
        let withdrawn = matches!(start, Start::Here(_)).then(|| context.cancel.clone());
        let id = responder.as_ref().and_then(Responder::id);
        let entered = id.map(|id| connection.line.enter(id, &context.cancel));
        let lent = CallGuard {
            handler: "",
            context: Some(context),
            request: Some(request),
            meta: None,
            responder,
            concluded: None,
            _entered: entered,
        };
        Some((lent, start, withdrawn))
    }
}

/// The function that stands for a handler.
type Answering<A, M> = fn(
    &mut CallContext<A>,
    Option<<M as Handled<A>>::Params>,
) -> Pin<Box<dyn Future<Output = Result<<M as Handled<A>>::Answer>> + Send>>;

/// Lends the call to its handler, until the call is answered.
pub struct CallGuard<A: Handlers, M: Handled<A>> {
    /// The name of the handler, once the call is lent to it.
    handler: &'static str,
    /// `None` once the call is answered.
    context: Option<CallContext<A>>,
    request: Option<M::Params>,
    meta: Option<values::Meta>,
    responder: Option<Responder>,
    /// The response that waits for room in the buffer.
    concluded: Option<Result<M::Response>>,
    _entered: Option<Entered>,
}

impl<A: Handlers, M: Handled<A>> CallGuard<A, M> {
    /// The guard of a function that no message calls.
    pub(super) fn of_event(context: CallContext<A>, how: M::Params) -> Self {
        Self {
            handler: "",
            context: Some(context),
            request: Some(how),
            meta: None,
            responder: None,
            concluded: None,
            _entered: None,
        }
    }

    /// Waits until the handler of this name may run. Returns the parts from which the handler's parameters are made.
    ///
    /// # Errors
    ///
    /// The call needs a part that does not exist any more.
    pub async fn lend(&mut self, handler: &'static str) -> Result<Parts<'_, A, M>> {
        self.handler = handler;
        let context = self.context.as_mut().expect("a call is answered once, by `finish`");
        if const { M::IS_TURN && A::IDENTITY.queues() } && context.is_waiting() {
            // Boxed, because it would make the future of each call larger. And so that the program of an agent whose prompts
            // never wait has no code of it.
            let turn: Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> =
                Box::pin(M::turn(context, self.request.as_ref(), &mut self.responder));
            turn.await?;
        }
        M::ready(context).await?;
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Some(request) = &self.request
        {
            context.begin_stored_turn(M::prompt(request)).await?;
        }
        let asked_by = self.responder.as_ref().and_then(Responder::id);
        Ok(Parts { handler, lent: context.lend(), request: self.request.take(), meta: self.meta.take(), asked_by })
    }

    /// The span in which the handler runs.
    fn span(&self, method: &str) -> Span {
        let id = self.responder.as_ref().and_then(Responder::id).map(|id| tracing::field::display(Short(id.get())));
        match &self.context {
            Some(context) if context.is_turn() => {
                let session = context.session_id.as_ref().map(tracing::field::display);
                tracing::debug_span!(target: TARGET, "turn", id, session)
            }
            _ => tracing::debug_span!(target: TARGET, "request", id, method = %Short(method)),
        }
    }

    /// Concludes the call. Answers it when the buffer has room for the answer.
    pub async fn finish(mut self, answer: Result<M::Answer>) {
        let Some(context) = &mut self.context else { return };
        let mut response = match answer {
            Ok(answer) => M::conclude(context, answer).await,
            Err(error) => M::fail(context, error),
        };
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Err(error) = context.commit_turn().await
        {
            // The handler's own error says more.
            response = response.and(Err(error));
        }
        if let Some(responder) = self.responder.as_ref().filter(|responder| !responder.has_room()) {
            // If the request is withdrawn during this wait, the response is still the answer.
            self.concluded = Some(response);
            // This wait is rare, so it is boxed: it would make the future of each call larger.
            Box::pin(responder.room()).await;
            return;
        }
        self.answer(response);
    }

    fn answer(&mut self, response: Result<M::Response>) {
        let Some(context) = self.context.take() else { return };
        let follows = context.follows::<M>(response.is_ok());
        let opens = const { M::OPENS.is_some() && commands::has_some::<A>() } && response.is_ok();
        // The session of a turn becomes free with the turn's answer. Code that waits for the turn's end, for example to
        // close the session, goes on after the answer.
        let place = if const { M::IS_TURN && A::IDENTITY.queues() } { Some(context.place_in_line()) } else { None };
        let mut kept = context.leave();
        match place {
            None => M::respond(&mut kept, self.responder.take(), response),
            Some(place) => M::respond_in_line(&place, &mut kept, self.responder.take(), response),
        }
        if opens {
            kept.announce_commands();
        }
        if let Some(follows) = follows {
            follows.start(&mut kept);
        }
    }
}

/// The message of the answer to a request whose handler panicked. Tests of agents know it.
pub const PANICKED: &str = "the agent's handler panicked; its message is on the agent's stderr";

impl<A: Handlers, M: Handled<A>> Drop for CallGuard<A, M> {
    fn drop(&mut self) {
        if let Some(response) = self.concluded.take() {
            return self.answer(response);
        }
        let Some(context) = &mut self.context else { return };
        let error = if std::thread::panicking() {
            heard_panic(self.handler)
        } else if context.cancel.is_cancelled() {
            Error::request_cancelled()
        } else {
            Error::internal_error("the agent's handler ended without an answer")
        };
        if const { M::IS_TURN && A::STORE.is_some() }
            && let Some(context) = self.context.take()
        {
            return end_dropped_turn(context, self.responder.take(), error);
        }
        let Some(context) = &mut self.context else { return };
        let response = M::fail(context, error);
        self.answer(response);
    }
}

/// One call of a handler, as an extractor sees it: the parts from which the handler's parameters are made. See
/// [`FromCall`](super::FromCall).
pub struct Parts<'c, A: Handlers, M: Handled<A>> {
    /// The name of the handler.
    handler: &'static str,
    lent: LentContext<'c, A>,
    request: Option<M::Params>,
    meta: Option<values::Meta>,
    /// The request's id.
    asked_by: Option<&'c RawValue>,
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
pub(super) fn absent(what: &str) -> Error {
    Error::internal_error(format!("{what} is not part of this call"))
}
