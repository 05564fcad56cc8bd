//! The decision on each message that leaves.

/// Sees each message on its way out.
pub trait Filter: Send + Sync + 'static {
    /// Returns the message to send instead of this one; `None` if there is none. It runs under the lock of the outbox.
    fn outgoing(&self, message: Vec<u8>) -> Option<Vec<u8>>;
}
