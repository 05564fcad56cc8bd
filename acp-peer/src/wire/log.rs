//! The wire log: the shape of every message, in both directions. It is for subscribers that enable the target
//! `acp_runtime::wire` at level `TRACE`. If the log is off, it costs one comparison for each message.

use tracing::Level;

use super::redact;

macro_rules! target {
    () => {
        "acp_runtime::wire"
    };
}

/// Whether a subscriber reads the log.
pub(crate) fn is_on() -> bool {
    tracing::enabled!(target: target!(), Level::TRACE)
}

/// Logs a line of the client.
pub(crate) fn received(line: &[u8]) {
    if is_on() {
        tracing::trace!(target: target!(), bytes = line.len(), message = %redact::Shape(line), "received");
    }
}

/// A copy of messages. It is logged after the buffer's lock is released, because a subscriber may itself send messages.
pub(crate) fn copied(messages: &[u8]) -> Option<Vec<u8>> {
    (!messages.is_empty() && is_on()).then(|| messages.to_vec())
}

/// Logs messages to the client.
pub(crate) fn sent(copied: Option<Vec<u8>>) {
    let Some(messages) = copied else { return };
    for line in messages.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        tracing::trace!(target: target!(), bytes = line.len(), message = %redact::Shape(line), "sent");
    }
}
