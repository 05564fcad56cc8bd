//! A connection from its first message to its end.

use std::{io, sync::Arc, time::Duration};

use super::{outbox::Outbox, role::Role};
use crate::{TARGET, wire::Result};

/// The clean-up that also runs when serving is given up in the middle.
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

/// Serves until `read`, which hands over the messages, comes to the end of the input. The work after the end takes no
/// longer than `timeout` and an eighth of it.
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
    // Nobody is left to answer our requests, and nobody wants the work of handlers.
    peer.outgoing.close();
    role.abandon();
    let deadline = tokio::time::Instant::now() + timeout;
    peer.tasks.drain(deadline).await;
    // A peer that neither reads nor hangs up must not keep the process. A peer that reads takes the last messages
    // quickly, so it gets them even if handlers use up all the time.
    let deadline = deadline.max(tokio::time::Instant::now() + timeout / 8);
    if tokio::time::timeout_at(deadline, outbox.finish()).await.is_err() {
        tracing::warn!(target: TARGET, "the other side did not read the last messages");
        outbox.close();
    }
    tracing::debug!(target: TARGET, "connection closed");
    // Lost answers are a worse error than a bad end of the input.
    match outbox.failure() {
        Some(unwritable) => Err(unwritable.into()),
        None => read.map_err(Into::into),
    }
}
