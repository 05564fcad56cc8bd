//! The tests of the toolkit that need more than one crate. Each module is a subject, and its header says which.

mod agents;
mod api;
mod by_hand;
mod clients;
mod expansion_cost;
mod gates;
pub mod generated;
mod guide;
mod handlers;
mod hostile;
pub mod hygiene;
pub mod hygiene_agent;
pub mod hygiene_client;
mod pages;
mod programs;
mod readme;
mod recordings;
mod requirements;
mod rooms;
mod rust_analyzer;
mod schema;
mod stored;
mod streams;
mod wire;

// Tables of the macros, which some tests compare with the runtime.
#[path = "../../acp-macros/src/methods.rs"]
#[allow(dead_code, reason = "the macros read more of it")]
mod methods;
#[path = "../../acp-macros/src/agent/handlers/names/served.rs"]
mod served;
#[path = "../../acp-macros/src/updates.rs"]
#[allow(dead_code, reason = "the macros read more of it")]
mod updates;
