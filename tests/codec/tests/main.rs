//! The tests of the types. Each module is a subject, and its header says which.

mod codec;
mod codec_case;
mod foreign;

// What a test of the generator also uses.
#[path = "../../../acp-codegen/tests/sameness/mod.rs"]
mod sameness;
