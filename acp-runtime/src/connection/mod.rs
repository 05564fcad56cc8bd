//! One connection to a peer.

#[allow(dead_code, reason = "the rest of the connection is its user, and comes next")]
pub(crate) mod outbox;
