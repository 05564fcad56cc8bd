//! The functions of parts that no message calls by their names. They run in the life of a session, or beside a turn.
//!
//! The expansion is that of a handler, but without a message: `|event| event.run(threading, move |mut lent| async move { .. })`.

use crate::{
    agent::{
        call::{CallGuard, Handled},
        declaration::SendUnlessLocal,
        heard::heard,
        kinds::Kind,
        model::{CallContext, Handlers},
    },
    wire::{Error, Result},
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

/// Tells the subscriber of a parameter that a function of a session's life cannot get: no client is told why the function does
/// not run. It is no failure that a function does not run because its session is gone.
pub fn prepared<T>(function: &str, parameter: Result<T>) -> Result<T> {
    parameter.map_err(|error| match error.code() {
        Error::REQUEST_CANCELLED => error,
        _ => heard(function, error),
    })
}

/// The parameter that says how the event came about, and the answer, which is none.
macro_rules! event {
    ($event:ident($how:ty)) => {
        /// No message has it.
        impl crate::agent::params::Params for $how {
            fn decode(_: Option<&serde_json::value::RawValue>) -> Result<Self> {
                Err(crate::agent::parts::event::unsent())
            }

            fn meta(&self) -> Option<crate::values::Meta> {
                None
            }
        }

        impl<'c, A: Handlers> FromCall<'c, $event, A> for $how {
            fn from_call(parts: &mut Parts<'c, A, $event>) -> Result<Self> {
                parts.borrowed_request().copied()
            }
        }

        crate::agent::call::answers!($event: ());
    };
}

pub(in crate::agent) use event;

pub(in crate::agent) fn unsent() -> Error {
    Error::internal_error("no message calls this function")
}
