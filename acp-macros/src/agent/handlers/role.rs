//! The differences of agents from clients.

use super::names::{HELPERS, why_unhandled};
use crate::handlers::Role;
use crate::handlers::signature::NotLent;
use crate::methods::Side;

pub(super) const ROLE: Role = Role {
    side: Side::Agent,
    why_unhandled: Some(why_unhandled),
    attributes: &["command", "ext", "fallback", "method", "on_change"],
    attribute: "acp_agent",
    name: "an agent",
    one_type: "the runtime serves one type, whose handlers it knows when it compiles",
    helpers: HELPERS,
    by_reference: "a handler takes `&self`: the agent outlives the call",
    not_mutable: [
        "keep what belongs to one session in the session, and what all share behind a `Mutex`",
        "sessions run at the same time, and `cancel` arrives while `prompt` runs",
    ],
    not_lent: [
        "a session is lent as `&mut` to `prompt` and commands only",
        "put what other handlers of a session need into a type of its own, with `shared = Shared` on the struct; a handler takes it as `State<Shared>`",
        "this call may arrive while a turn runs, which has the session",
    ],
};

/// Of `session_ended`, which gets the session itself.
pub(super) const NOT_LENT_TO_THE_END: NotLent = [
    "`session_ended` is given its session, not lent it as `&mut`",
    "take it as `session: ClosedSession<Session>`",
    "no turn has the session any more",
];
