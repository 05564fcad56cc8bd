//! Agents that are written with `acp-agent-runtime`. The binaries of this package share them. The binary `demo` is a client
//! that drives one of them.

pub mod coder;
pub mod conformance;
#[cfg(test)]
mod shown;
