//! Reports to the client about the compaction of a session's context.

use std::fmt;

use super::{handle::SessionHandle, sending::Reporting, update::Updates};
use crate::{
    values::{CompactionId, CompactionStatus, CompactionSummaryChunk, CompactionUpdate, ContentBlock, SessionUpdate},
    wire::Result,
};

impl<C: Send + Sync + 'static> SessionHandle<C> {
    /// Reports that the agent compacts the context. `None` if the client does not follow compactions.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn compact<C: ConfigOptions>(session: &SessionHandle<C>) -> Result<()> {
    ///     let report = session.compaction().await?;
    ///     let summary = "The user asked for the answer; it is 42.";
    ///     match report {
    ///         Some(report) => report.complete(summary).await,
    ///         None => Ok(()),
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn compaction(&self) -> Result<Option<Compaction>> {
        if !self.output().offers_compaction() {
            return Ok(None);
        }
        let mut compaction = Compaction { id: fresh_id(), updates: self.updates(), ended: true };
        compaction.status(CompactionStatus::InProgress).await?;
        compaction.ended = false;
        Ok(Some(compaction))
    }
}

/// A running compaction, which ends once. If the handler drops it early, it is reported as cancelled.
pub struct Compaction {
    id: CompactionId,
    updates: Updates,
    ended: bool,
}

impl fmt::Debug for Compaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compaction").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Compaction {
    /// Sends a piece of the summary.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub fn summary(&self, content: impl Into<ContentBlock>) -> Reporting<'_> {
        let chunk = CompactionSummaryChunk::new(self.id.clone(), content.into());
        Box::pin(async move { self.updates.send(&SessionUpdate::CompactionSummaryChunk(chunk)).await })
    }

    /// Ends the compaction as completed, with the whole summary.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub fn complete(self, summary: impl Into<ContentBlock>) -> Reporting<'static> {
        let update = CompactionUpdate::new(self.id.clone(), CompactionStatus::Completed).summary(vec![summary.into()]);
        Box::pin(self.end(update))
    }

    /// Ends the compaction as failed, with the reason.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub fn fail(self, reason: impl Into<String>) -> Reporting<'static> {
        let update = CompactionUpdate::new(self.id.clone(), CompactionStatus::Failed).error(reason.into());
        Box::pin(self.end(update))
    }

    async fn end(mut self, update: CompactionUpdate) -> Result<()> {
        self.updates.send(&SessionUpdate::CompactionUpdate(update)).await?;
        // Set only now. If the future is dropped while it waits for room, the update is not sent. Then the drop must
        // end the compaction.
        self.ended = true;
        Ok(())
    }

    async fn status(&self, status: CompactionStatus) -> Result<()> {
        self.updates.send(&SessionUpdate::CompactionUpdate(CompactionUpdate::new(self.id.clone(), status))).await
    }
}

impl Drop for Compaction {
    fn drop(&mut self) {
        if !self.ended {
            let cancelled = CompactionUpdate::new(self.id.clone(), CompactionStatus::Cancelled);
            self.updates.send_now(&SessionUpdate::CompactionUpdate(cancelled));
        }
    }
}

/// An id that is unique in the session, even if another process has loaded the session.
fn fresh_id() -> CompactionId {
    CompactionId::from(format!("compaction_{}", uuid::Uuid::now_v7().simple()))
}
