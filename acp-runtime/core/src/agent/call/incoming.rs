//! One call: the runtime admits it, lends it to the handler, and answers it.
//!
//! In the expansion, a handler's arm is
//! `call.run::<Method, _, _>(threading, move |mut lent| async move { .. lent.finish(..).await })`. So each call has one
//! concrete future. The conclusion of an answer may wait. If the handler panics or the client withdraws the request,
//! [`CallGuard`] is dropped early. Its drop answers the call and never waits.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{CallGuard, Called, Handled};
use crate::{
    TARGET,
    agent::{
        declaration::SendUnlessLocal,
        kinds::Kind,
        model::{Call, CallContext, Connection, Handlers, Part},
        params::Params,
        work::Work,
    },
    rpc::Responder,
    wire::{Error, Result, quoted::Short},
};

impl<'l, A: Handlers> Call<'l, A> {
    pub(crate) fn new(
        connection: &'l Arc<Connection<A>>,
        method: &'l str,
        params: Option<&'l RawValue>,
        responder: Option<Responder>,
    ) -> Self {
        Self {
            connection,
            method,
            sent: method,
            params,
            responder,
            #[cfg(feature = "v2")]
            is_silent: false,
        }
    }

    /// Sets the method's name in the client's version of the protocol.
    pub(crate) fn sent_as(self, sent: &'l str) -> Self {
        Self { sent, ..self }
    }

    /// The method's name on the wire.
    pub fn method(&self) -> &'l str {
        self.method
    }

    /// Sends the call to another function of the agent.
    pub(in crate::agent) fn to(self, method: &'l str) -> Self {
        Self { method, ..self }
    }

    pub(in crate::agent) fn params(&self) -> Option<&'l RawValue> {
        self.params
    }

    /// Refuses a request without running its handler.
    pub(in crate::agent) fn refuse(self, error: Error) {
        if let Some(responder) = self.responder {
            responder.respond::<()>(Err(error));
        }
    }

    /// Decodes and admits the call, then starts the handler. This function never waits.
    // The compiler shows the line of a failed bound, so this line says how to do without the bound.
    #[rustfmt::skip]
    pub fn run<M: Called<A>, T, F>(self, threading: T, handler: impl FnOnce(CallGuard<A, M>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        if let Some(admitted) = self.admit() {
            admitted.run(threading, handler);
        }
    }

    /// `None` if the call was refused.
    pub(in crate::agent) fn admit<M: Called<A>>(self) -> Option<Admitted<'l, A, M>> {
        self.admit_by(|context, params| M::admit(context, params))
    }

    /// As [`admit`](Self::admit), for a function that a part calls.
    pub(in crate::agent) fn admit_by<M: Handled<A>>(
        self,
        admit: impl FnOnce(&mut CallContext<A>, &mut M::Params) -> Result<M::Admitted>,
    ) -> Option<Admitted<'l, A, M>> {
        let Self { connection, method, sent, params, responder, .. } = self;
        let mut context = CallContext::new(connection.clone());
        #[cfg(feature = "v2")]
        {
            context.is_silent = self.is_silent;
        }
        let admitted = M::Params::decode(params).and_then(|mut params| {
            M::called(&mut params, sent);
            M::relax(&mut params);
            let admitted = admit(&mut context, &mut params)?;
            Ok((params, admitted))
        });
        let (request, admitted) = match admitted {
            Ok(admitted) => admitted,
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
        let responder = responder.and_then(|responder| M::begin(&context, &admitted, &request, responder));
        let guard = CallGuard::new(context, admitted, request, responder);
        Some(Admitted { connection, method, guard })
    }
}

/// A call whose handler may start.
pub struct Admitted<'l, A: Handlers, M: Handled<A>> {
    connection: &'l Arc<Connection<A>>,
    method: &'l str,
    guard: CallGuard<A, M>,
}

impl<A: Handlers, M: Handled<A>> Admitted<'_, A, M> {
    /// Starts the handler.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, handler: impl FnOnce(CallGuard<A, M>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let Self { connection, method, mut guard } = self;
        let (start, withdrawn) = guard.start();
        let span = guard.span(method);
        if const { A::Parts::WATCHES && M::Admitted::IS_TURN }
            && let Some(watch) = guard.admitted().and_then(M::watch)
        {
            return handler(guard).start_watched(&connection.line.tasks, watch, span);
        }
        handler(guard).start(&connection.line.tasks, start, withdrawn, span);
    }

    /// Answers without a handler.
    pub(in crate::agent) fn answer(self, answer: Result<M::Answer>) {
        let (start, withdrawn) = self.guard.start();
        self.connection.line.tasks.start(self.guard.finish(answer), start, withdrawn);
    }

    /// Answers with what `answer` of the part `by` makes of the request.
    pub(in crate::agent) fn answer_by(
        self,
        by: &'static str,
        answer: impl FnOnce(&mut M::Admitted, Option<M::Params>) -> Work<'static, Result<M::Answer>> + Send + 'static,
    ) {
        let (start, withdrawn) = self.guard.start();
        let mut guard = self.guard;
        let answered = async move {
            let answer = match guard.lend(by).await.map(|mut parts| parts.request.take()) {
                Ok(request) => match guard.admitted() {
                    Some(admitted) => answer(admitted, request).await,
                    None => return,
                },
                Err(error) => Err(error),
            };
            guard.finish(answer).await;
        };
        self.connection.line.tasks.start(answered, start, withdrawn);
    }
}
