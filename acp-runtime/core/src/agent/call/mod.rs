//! The path of a call, behind `receive`: `incoming` admits it, `guard` lends it to the handler, concludes it and answers it.
//! `handled` is what the path asks of a method, and `answer` what a
//! handler may return. Beside the path: `route` finds functions for methods that the schema does not
//! know, `changes` are changes of options, and `event` is a call of a function that no message calls.

mod answer;
mod context;
mod event;
mod given;
mod guard;
mod handled;
mod incoming;
mod lent;
pub(in crate::agent) mod route;

pub use acp_handlers::{Fallible, Itself, Plain, Short};
pub(in crate::agent) use answer::answers;
pub use answer::{IntoAnswer, IntoHandlerError, IntoHandlerResult, WithId};
pub use event::{Event, SessionEvent};
pub use given::{GivenBy, HasDefault, WithShared};
pub use guard::CallGuard;
pub use handled::{Called, Handled, OfSession};
pub use incoming::Admitted;
pub use lent::Parts;
pub(crate) use lent::absent;
pub(in crate::agent) use route::{is_opened_for, route_once};
