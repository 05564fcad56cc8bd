//! Slash commands: what a session announces, and where a prompt goes.

mod agent;
mod announced;
mod busy;
mod during;
mod routed;
