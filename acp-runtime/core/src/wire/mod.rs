//! The wire, without any input or output: bytes to lines, lines to borrowed envelopes, values to lines, and the one
//! error type that all of them and every handler share.

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
