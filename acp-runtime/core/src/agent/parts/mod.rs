//! The parts of agents: each is a feature beside the path of a call, in a place of its own. The macros list those that an agent
//! has, by the keys of its struct (`gate`, `lenient`, `queue`, `store`) and by its functions (`commands`, `life`).

pub(in crate::agent) mod commands;
mod gate;
mod lenient;
pub(in crate::agent) mod life;
mod list;
mod part;
pub mod queue;
pub mod store;
#[cfg(test)]
mod toy_tests;

pub use commands::Commands;
pub use gate::Gate;
pub use lenient::{LenientContent, LenientPaths, LenientServers};
pub use life::Life;
pub use part::{Arrival, Part};
pub(crate) use part::{Try, Watch, Work};
pub use queue::Queue;
pub use store::Stored;
