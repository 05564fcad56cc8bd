//! A connection from its first message to its end.

use std::{io, sync::Arc, time::Duration};

use super::{outbox::Outbox, role::Role};
use crate::{TARGET, wire::Result};

/// What holds also where serving is given up in the middle.
struct AtEnd<'r, R: Role> {
    role: &'r Arc<R>,
    outbox: &'r Outbox,
}

impl<R: Role> Drop for AtEnd<'_, R> {
    fn drop(&mut self) {
        self.role.peer().outgoing.close();
        self.role.abandon();
        self.outbox.close();
    }
}

/// Serves until `read`, which hands over what arrives, has come to the end of the input. What follows the end takes no
/// longer than `timeout`, and an eighth of it.
///
/// # Errors
///
/// Nothing could be written, or reading failed.
pub async fn serve<R: Role>(
    role: &Arc<R>,
    read: impl Future<Output = io::Result<()>>,
    timeout: Duration,
) -> Result<()> {
    let peer = role.peer();
    let outbox = &peer.outbox;
    let _end = AtEnd { role, outbox };
    let read = read.await;
    // Nobody is left to answer questions, and nobody wants the work of handlers.
    peer.outgoing.close();
    role.abandon();
    let deadline = tokio::time::Instant::now() + timeout;
    peer.tasks.drain(deadline).await;
    // A peer that neither reads nor hangs up does not keep the process. One that reads is not slow to take what is
    // left, so handlers that use up all the time do not cost it the last messages.
    let deadline = deadline.max(tokio::time::Instant::now() + timeout / 8);
    if tokio::time::timeout_at(deadline, outbox.finish()).await.is_err() {
        tracing::warn!(target: TARGET, "the other side did not read the last messages");
        outbox.close();
    }
    tracing::debug!(target: TARGET, "connection closed");
    // Answers that nobody gets are worse than a bad end of the input.
    match outbox.failure() {
        Some(unwritable) => Err(unwritable.into()),
        None => read.map_err(Into::into),
    }
}
