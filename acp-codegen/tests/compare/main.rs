//! Verdicts on changes, held against what the compiler says and against what is generated.

#![cfg(feature = "cli")]

#[path = "../compile/mod.rs"]
mod compile;
mod pairs;
mod program;
