//! The life of a session beyond its calls.

mod agent;
mod ended;
mod opened;
mod shutdown;
