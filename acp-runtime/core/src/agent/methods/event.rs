//! The common parts of the functions that no message calls: they run when a session was opened.

use crate::wire::Error;

/// The parameter that says how the event came about, and the answer, which is none.
macro_rules! event {
    ($event:ident($how:ty)) => {
        /// No message has it.
        impl crate::agent::params::Params for $how {
            fn decode(_: Option<&serde_json::value::RawValue>) -> Result<Self> {
                Err(crate::agent::methods::event::unsent())
            }

            fn meta(&self) -> Option<crate::values::Meta> {
                None
            }
        }

        impl<'c, A: Handlers> FromCall<'c, $event, A> for $how {
            fn from_call(parts: &mut Parts<'c, A, $event>) -> Result<Self> {
                parts.params()
            }
        }

        crate::agent::call::answers!($event: ());
    };
}

pub(in crate::agent) use event;

pub(in crate::agent) fn unsent() -> Error {
    Error::internal_error("no message calls this function")
}
