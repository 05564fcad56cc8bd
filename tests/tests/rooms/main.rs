//! Who knows whom in the crates that have rooms, as ARCHITECTURE.md says: a room knows those below it, and none above.

mod codegen;
mod core;
mod reader;
