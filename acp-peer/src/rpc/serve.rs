//! A connection from its first message to its end.

use std::{io, sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{outbox::Outbox, role::Role};
use crate::{TARGET, wire::Result};

/// The clean-up at the end. It also runs when the serving future is dropped.
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

/// The time after a duration. A duration that the clock cannot hold, such as `Duration::MAX`, becomes 30 years.
pub fn after(begin: Instant, duration: Duration) -> Instant {
    const YEARS_30: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);
    begin.checked_add(duration).unwrap_or_else(|| begin + YEARS_30)
}

/// `read` passes the messages on. Serves until it comes to the end of the input. The work after this end takes at most
/// `timeout` and an eighth of it.
///
/// # Errors
///
/// Messages could not be written, or reading failed.
pub async fn serve<R: Role>(
    role: &Arc<R>,
    read: impl Future<Output = io::Result<()>>,
    timeout: Duration,
) -> Result<()> {
    let peer = role.peer();
    let outbox = &peer.outbox;
    let _end = AtEnd { role, outbox };
    let read = read.await;
    // The client is gone: it cannot answer our requests, and does not want the work of handlers.
    peer.outgoing.close();
    role.abandon();
    let deadline = after(Instant::now(), timeout);
    role.drain(deadline).await;
    // A peer that neither reads nor hangs up must not keep the process alive. A peer that reads takes the last messages
    // quickly. So it gets some time even if handlers have used all of theirs.
    let deadline = deadline.max(after(Instant::now(), timeout / 8));
    if tokio::time::timeout_at(deadline, outbox.finish()).await.is_err() {
        tracing::warn!(target: TARGET, "the other side did not read the last messages");
        outbox.close();
    }
    tracing::debug!(target: TARGET, "connection closed");
    // Lost answers are a worse error than a failed read at the end.
    match outbox.failure() {
        Some(unwritable) => Err(unwritable.into()),
        None => read.map_err(Into::into),
    }
}
