//! The functions that no message calls by their names: `session_opened`, `session_ended` and `steer`.
//!
//! The expansion is that of a handler, but without a message: `|event| event.run(threading, move |mut lent| async move { .. })`.

use super::{call::CallGuard, declaration::Handlers, threading::SendUnlessLocal};
use crate::{
    TARGET,
    agent::{
        context::{Begun, CallContext},
        methods::{Handled, Steering, handlers},
    },
    rpc::{CancellationToken, Start},
    session::{Ended, Opened},
};

/// An event in a session, which runs the function `M`.
pub struct SessionEvent<A: Handlers, M: Handled<A>> {
    context: CallContext<A>,
    how: M::Params,
    begun: Option<Begun<A>>,
}

impl<A: Handlers> SessionEvent<A, handlers::session_opened> {
    pub(crate) fn opened(context: CallContext<A>, how: Opened, begun: Begun<A>) -> Self {
        Self { context, how, begun: Some(begun) }
    }

    /// Runs the function, until the session ends.
    // The compiler shows the line of a bound that fails, so the line says how to do without the bound.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::session_opened>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let Self { context, how, begun } = self;
        let span = tracing::debug_span!(target: TARGET, "session_opened", session = session(&context));
        let until = context.cancel.clone();
        function(CallGuard::of_event(context, how)).start_beside(until, begun, span);
    }
}

impl<A: Handlers> SessionEvent<A, handlers::session_ended> {
    /// Runs until `over` is set.
    pub(crate) fn ended(mut context: CallContext<A>, how: Ended, over: CancellationToken) -> Self {
        context.cancel = over;
        Self { context, how, begun: None }
    }

    /// Runs the function, as a task of its own.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::session_ended>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let Self { context, how, begun: _ } = self;
        let span = tracing::debug_span!(target: TARGET, "session_ended", session = session(&context));
        let (line, over) = (context.line().clone(), context.cancel.clone());
        if !over.is_cancelled() {
            function(CallGuard::of_event(context, how)).start(&line.tasks, Start::Task, Some(over), span);
        }
    }
}

impl<A: Handlers> SessionEvent<A, handlers::steer> {
    pub(crate) fn steering(context: CallContext<A>, how: Steering) -> Self {
        Self { context, how, begun: None }
    }

    /// Runs in place until it waits. Its cancellation drops it.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, handlers::steer>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        let Self { context, how, begun: _ } = self;
        let span = tracing::debug_span!(target: TARGET, "steer", session = session(&context));
        let (line, withdrawn) = (context.line().clone(), context.cancel.clone());
        function(CallGuard::of_event(context, how)).start(&line.tasks, Start::Here(None), Some(withdrawn), span);
    }
}

fn session<A: Handlers>(context: &CallContext<A>) -> Option<tracing::field::DisplayValue<&crate::values::SessionId>> {
    context.session_id.as_ref().map(tracing::field::display)
}
