//! The imports between the rooms of a crate, as ARCHITECTURE.md says: a room knows those below it, and none above.

mod codegen;
mod core;
mod reader;
