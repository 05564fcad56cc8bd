//! Agents written with `acp-runtime`, shared by the binaries of this package.

pub mod coder;
pub mod conformance;
