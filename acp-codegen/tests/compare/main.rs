//! Compares the verdicts on changes with the compiler's result and with the generated code.

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
