//! Compares each verdict with the result of the compiler, and with the generated code.

#![cfg(feature = "cli")]

mod edited;
mod edits;
mod growth;
mod module;
mod pairs;
mod program;
mod promises;
