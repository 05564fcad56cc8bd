//! The functions that no message calls by their names: `session_opened`, `session_ended` and `steer`.
//!
//! The expansion is that of a handler, but without a message: `|event| event.run(threading, move |mut lent| async move { .. })`.

use super::{CallGuard, Handled};
use crate::agent::{
    declaration::SendUnlessLocal,
    kinds::Kind,
    model::{CallContext, Handlers},
};

/// An event in a session, which runs the function `M`.
pub struct SessionEvent<A: Handlers, M: Handled<A>> {
    pub(in crate::agent) context: CallContext<A>,
    pub(in crate::agent) admitted: M::Admitted,
    params: M::Params,
}

impl<A: Handlers, M: Handled<A>> SessionEvent<A, M> {
    pub(in crate::agent) fn new((context, admitted): (CallContext<A>, M::Admitted), params: M::Params) -> Self {
        Self { context, admitted, params }
    }

    pub(in crate::agent) fn guard(self) -> CallGuard<A, M> {
        CallGuard::new(self.context, self.admitted, self.params, None)
    }

    /// The session, for a span.
    pub(in crate::agent) fn session(&self) -> Option<tracing::field::DisplayValue<&crate::values::SessionId>> {
        self.admitted.session_id().map(tracing::field::display)
    }
}

/// A function that no message calls.
pub trait Event<A: Handlers>: Handled<A> {
    #[doc(hidden)]
    fn start<T, F: SendUnlessLocal<T>>(event: SessionEvent<A, Self>, function: impl FnOnce(CallGuard<A, Self>) -> F)
    where
        Self: Sized;
}

impl<A: Handlers, M: Event<A>> SessionEvent<A, M> {
    /// Runs the function.
    // The compiler shows the line of a bound that fails, so the line says how to do without the bound.
    #[rustfmt::skip]
    pub fn run<T, F>(self, _: T, function: impl FnOnce(CallGuard<A, M>) -> F)
    where
        F: SendUnlessLocal<T>, // with `#[acp_agent(local)]` on the struct, futures need not be `Send`
    {
        M::start::<T, F>(self, function);
    }
}
