//! The wire, without any input or output: bytes to lines, lines to borrowed envelopes, values to lines, and the one
//! error type that all of them and every handler share.

#[allow(dead_code, reason = "the connection is its user, and comes next")]
pub(crate) mod envelope;
pub(crate) mod error;
pub(crate) mod frame;
#[allow(dead_code, reason = "the connection is its user, and comes next")]
pub(crate) mod message;
