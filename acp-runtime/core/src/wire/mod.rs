//! The wire, without any input or output: from bytes to lines, from lines to borrowed envelopes, from values to lines,
//! and the one error type that these stages and every handler share.

#[cfg(feature = "anyhow")]
mod anyhow;
pub(crate) mod decode;
pub(crate) mod envelope;
pub(crate) mod error;
pub(crate) mod frame;
mod inside;
pub(crate) mod log;
pub(crate) mod message;
mod names;
mod pointer;
mod redact;
mod scan;
mod words;

pub(crate) use error::{Cancelled, Error, Result};
