//! The wire, without input and output: from bytes to lines, from lines to borrowed envelopes, and from values to lines.
//! Also the error type, which these steps and every handler share.

#[cfg(feature = "anyhow")]
mod anyhow;
mod conversion;
pub mod decode;
pub mod envelope;
pub(crate) mod error;
mod escape;
pub(crate) mod frame;
mod inside;
pub(crate) mod log;
pub mod message;
mod names;
pub mod own;
mod pointer;
pub mod quoted;
mod redact;
mod scan;
pub mod undecodable;
mod words;

pub use error::{Cancelled, Error, Result};
