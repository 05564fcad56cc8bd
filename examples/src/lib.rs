//! Agents written with `acp-runtime`, shared by the binaries of this package; the binary `demo` is a client that drives one.

pub mod coder;
pub mod conformance;
#[cfg(test)]
mod shown;
