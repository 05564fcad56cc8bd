//! Compares each verdict with the result of the compiler, and with the generated code.

#![cfg(feature = "cli")]

#[path = "../compile/mod.rs"]
mod compile;
mod edited;
mod edits;
mod growth;
mod module;
mod pairs;
mod program;
mod promises;
#[path = "../fuzz/published.rs"]
mod published;
#[path = "../fuzz/random.rs"]
mod random;
#[path = "../fuzz/structure.rs"]
mod structure;
