//! The path of a call, behind `receive`: `incoming` admits it, `guard` lends it to the handler, concludes it and answers it.
//! `handled` is what the path asks of a method, and `answer` what a handler may return. Beside the path: `route` finds functions
//! for methods that the schema does not know.
//!
//! `transport` hands each line to `rpc::Dispatcher`, which never waits. The dispatcher scans the envelope once and
//! borrows its parts from the line. `wire/scan.rs` finds the ends of values, many bytes at a time. If the scan refuses
//! the JSON, serde_json decides, and words the error. `wire/decode.rs` decodes params that are known to be JSON, and
//! reads each byte once more. The connection's dialect translates the call into the terms of `values`. The agent's role
//! serves `initialize` (unless it has a handler), `session/cancel`, `session/set_mode` and `session/set_config_option`
//! itself. All other calls go to `Handlers::call`, which the macro writes. It is a `match`, and each arm names the marker
//! of one handler. `Call::run` decodes the params. Its code is compiled in the runtime. `Called::admit` checks the
//! capabilities, and proves what the call may touch: its result is a value of a `Kind` (`agent/kinds`), such as the turn
//! of a session, or the end of one. Extractors take from it. For a prompt it has the session's turn, so that a cancel
//! directly after the prompt cannot miss it. The handler's future starts in place, or as a task if it is a turn or has to
//! wait. The future holds a `CallGuard`. `CallGuard::finish` completes the handler's answer, and may wait for this. Then
//! it waits for room, and sends the answer. If the handler failed, panicked or was withdrawn, `fail` makes the answer.
//! `fail` never waits, because the drop of the guard also calls it. The dialect decides when a prompt is answered: at the
//! end of the turn (version 1), or at its begin.

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
