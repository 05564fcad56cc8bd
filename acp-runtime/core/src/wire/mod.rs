//! The wire, without input and output: from bytes to lines, from lines to borrowed envelopes, and from values to lines.
//! Also the error type, which these steps and every handler share.

#[cfg(feature = "anyhow")]
mod anyhow;
pub(crate) mod decode;
pub(crate) mod envelope;
pub(crate) mod error;
mod escape;
pub(crate) mod frame;
mod inside;
pub(crate) mod log;
pub(crate) mod message;
mod names;
pub(crate) mod own;
mod pointer;
pub(crate) mod quoted;
mod redact;
mod scan;
mod words;

pub(crate) use error::{Cancelled, Error, Result};
