//! The path of a call, behind `receive`: `incoming` admits it, `guard` lends it to the handler, concludes it and answers it.
//! `handled` is what the path asks of a method, and `answer` what a handler may return. Beside the path: `route` finds functions
//! for methods that the schema does not know.
//!
//! ARCHITECTURE.md has the steps. Before them, `wire/scan.rs` of `acp-peer` finds the ends of the values of a line, many bytes at
//! a time; if it refuses the JSON, serde_json decides, and words the error. `wire/decode.rs` decodes params that are known to be
//! JSON, and reads each byte once more. `initialize` without a handler, `session/cancel`, `session/set_mode` and
//! `session/set_config_option` do not come here. The code of `Call::run` is compiled in the runtime, that of a handler in the
//! author's crate. The dialect decides when a prompt is answered: at the end of the turn (version 1), or at its begin.

mod answer;
mod context;
mod given;
mod guard;
mod handled;
mod incoming;
mod lent;
pub(in crate::agent) mod route;

pub use acp_handlers::{Fallible, Itself, Plain, Short};
pub(in crate::agent) use answer::answers;
pub use answer::{IntoAnswer, IntoHandlerError, IntoHandlerResult, WithId};
pub use given::{GivenBy, HasDefault, WithShared};
pub use guard::CallGuard;
pub use handled::{Called, Handled, OfSession};
pub use incoming::Admitted;
pub use lent::Parts;
pub(crate) use lent::absent;
pub(in crate::agent) use route::{is_opened_for, route_once};
