//! The imports between the rooms of a crate, and between its files. As ARCHITECTURE.md says, a room imports only from rooms
//! below it. What is not so yet is listed with its reason.

mod client;
mod codegen;
mod core;
mod house;
mod macros;
mod others;
mod peer;
mod rules;
mod source;
