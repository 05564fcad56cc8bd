//! Attributes that declare agents of the Agent Client Protocol. Used through `acp-runtime`, which
//! re-exports them beside the traits that their expansion implements.

// Taken into use by the macros, which land after this foundation.
#![allow(dead_code)]

mod diagnostics;
mod keys;
mod text;
