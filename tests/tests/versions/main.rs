//! Our client with both versions and agents from other projects: it goes on in version 1 with those of version 1, and drives
//! those of version 2 by the same script.
//!
//! `cargo test -p acp-tests --features v2 --test versions` runs it.

#[path = "../agents/mod.rs"]
mod agents;
