//! The differences of agents from clients.

use super::names::{HELPERS, unhandled};
use crate::handlers::Role;
use crate::methods::Side;

pub(super) const ROLE: Role = Role {
    side: Side::Agent,
    why_unhandled: Some(unhandled),
    attributes: &["command", "draft", "ext", "fallback", "method", "on_change"],
    attribute: "acp_agent",
    name: "an agent",
    one_type: "the runtime serves one type, whose handlers it knows when it compiles",
    helpers: HELPERS,
    by_reference: "a handler takes `&self`: the agent outlives the call",
    not_mutable: [
        "keep what belongs to one session in the session, and what all share behind a `Mutex`",
        "sessions run at the same time, and `cancel` arrives while `prompt` runs",
    ],
};
