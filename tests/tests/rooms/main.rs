//! The imports between the rooms of a crate. As ARCHITECTURE.md says, a room imports only from rooms below it.

mod codegen;
mod core;
mod reader;
