//! The functions that no message calls by their names: `session_opened`, `session_ended` and `steer`.
//!
//! The expansion is that of a handler, but without a message: `|event| event.run(threading, move |mut lent| async move { .. })`.

use super::{CallContext, CallGuard};
use crate::{
    TARGET,
    agent::{
        expansion::{Handlers, SendUnlessLocal},
        kinds::Kind,
        methods::{Handled, handlers},
    },
    rpc::Start,
};

/// An event in a session, which runs the function `M`.
pub struct SessionEvent<A: Handlers, M: Handled<A>> {
    context: CallContext<A>,
    admitted: M::Admitted,
    params: M::Params,
}

impl<A: Handlers, M: Handled<A>> SessionEvent<A, M> {
    pub(in crate::agent) fn new((context, admitted): (CallContext<A>, M::Admitted), params: M::Params) -> Self {
        Self { context, admitted, params }
    }

    fn guard(self) -> CallGuard<A, M> {
        CallGuard::new(self.context, self.admitted, self.params, None)
    }

    fn session(&self) -> Option<tracing::field::DisplayValue<&crate::values::SessionId>> {
        self.admitted.session_id().map(tracing::field::display)
    }
}

impl<A: Handlers> SessionEvent<A, handlers::session_opened> {
    /// Runs the function, until the session ends.
    // The compiler shows the line of a bound that fails, so the line says how to do without the bound.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::session_opened>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let span = tracing::debug_span!(target: TARGET, "session_opened", session = self.session());
        let mut event = self;
        let (until, begun) = (event.context.cancel.clone(), event.admitted.with.take());
        function(event.guard()).start_beside(until, begun, span);
    }
}

impl<A: Handlers> SessionEvent<A, handlers::session_ended> {
    /// Runs the function, as a task of its own. Its cancellation drops it.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::session_ended>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let span = tracing::debug_span!(target: TARGET, "session_ended", session = self.session());
        let (connection, over) = (self.context.connection.clone(), self.context.cancel.clone());
        if !over.is_cancelled() {
            function(self.guard()).start(&connection.line.tasks, Start::Task, Some(over), span);
        }
    }
}

impl<A: Handlers> SessionEvent<A, handlers::steer> {
    /// Runs in place until it waits. Its cancellation drops it.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::steer>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let span = tracing::debug_span!(target: TARGET, "steer", session = self.session());
        let (connection, withdrawn) = (self.context.connection.clone(), self.context.cancel.clone());
        function(self.guard()).start(&connection.line.tasks, Start::Here(None), Some(withdrawn), span);
    }
}
