//! Agents written with `acp-runtime`, and a client that drives them, shared by the binaries of this package.

pub mod client;
pub mod coder;
pub mod conformance;
#[cfg(test)]
mod shown;
