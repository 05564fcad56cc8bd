//! The imports between the rooms of a crate, and between the files of a folder. As ARCHITECTURE.md says, a room imports only from
//! rooms below it.

mod client;
mod codegen;
mod core;
mod reader;
