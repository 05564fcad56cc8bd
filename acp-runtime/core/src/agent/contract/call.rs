//! One call: the runtime admits it, lends it to the handler, and answers it.
//!
//! In the expansion, a handler's arm is
//! `call.run::<Method, _, _>(threading, move |mut lent| async move { .. lent.finish(..).await })`. So each call has one
//! concrete future. The conclusion of an answer may wait. If the handler panics or the client withdraws the request,
//! [`CallGuard`] is dropped early. Its drop answers the call and never waits.

mod guard;
mod parts;

use std::{future::ready, pin::Pin, sync::Arc};

use serde_json::value::RawValue;

pub(super) use self::parts::absent;
pub use self::{
    guard::{CallGuard, PANICKED},
    parts::Parts,
};
use super::{
    answer::OpenedSession, declaration::Handlers, shared::default_shared, stored::serves, threading::SendUnlessLocal,
};
use crate::{
    TARGET,
    agent::{
        connection::Connection,
        context::CallContext,
        methods::{Handled, handlers},
        params::Params,
    },
    rpc::{CancellationToken, Responder, Start},
    schema::Method,
    values::{CloseSessionResponse, DeleteSessionResponse},
    wire::{Error, Result, quoted::Short},
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
        if const { A::STORE.is_some() } && (serves::<A>(self.method) || self.method == handlers::restore_session::ARM) {
            return self.serve_stored();
        }
        if const { A::NEW_SESSION.is_some() }
            && self.method == handlers::new_session::NAME
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
        if let Some((mut lent, start, withdrawn)) = self.admit() {
            let span = lent.span(method);
            if const { M::IS_TURN && A::IDENTITY.steers() }
                && let Some(is_begun) = lent.context.as_mut().and_then(CallContext::watch_begin)
            {
                return handler(lent).start_watched(&connection.line.tasks, is_begun, span);
            }
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
