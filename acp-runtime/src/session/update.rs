//! Sending `session/update` for one session.

use std::sync::Arc;

use crate::{
    connection::link::Link,
    peer::unoffered,
    schema::{
        Method,
        v1::{SessionId, SessionNotification, SessionUpdate, methods},
    },
    wire::Result,
};

/// The updates of one session to one client.
#[derive(Clone)]
pub(crate) struct Updates {
    id: SessionId,
    link: Arc<Link>,
}

impl Updates {
    pub(crate) fn new(id: SessionId, link: Arc<Link>) -> Self {
        Self { id, link }
    }

    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) fn link(&self) -> &Arc<Link> {
        &self.link
    }

    /// Whether the client shows notices.
    pub(crate) fn offers_notices(&self) -> bool {
        self.link.client().capabilities.session.as_ref().is_some_and(|session| session.notices.is_some())
    }

    /// Whether the client follows compactions.
    pub(crate) fn offers_compaction(&self) -> bool {
        self.link.client().capabilities.session.as_ref().is_some_and(|session| session.compaction.is_some())
    }

    fn check_offered(&self, update: &SessionUpdate) -> Result<()> {
        match update {
            SessionUpdate::Notice(_) if !self.offers_notices() => Err(unoffered("notice", "session.notices")),
            SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_)
                if !self.offers_compaction() =>
            {
                Err(unoffered("compaction_update", "session.compaction"))
            }
            _ => Ok(()),
        }
    }

    /// Waits while the client is behind with reading.
    pub(crate) async fn room(&self) -> Result<()> {
        self.link.room().await
    }

    /// Sends an update; waits while the client is behind with reading.
    pub(crate) async fn send(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        let update = update.into();
        self.check_offered(&update)?;
        let notification = SessionNotification::new(self.id.clone(), update);
        self.link.notify(methods::SessionUpdate::NAME, &notification).await
    }

    /// Sends an update at once.
    pub(crate) fn send_now(&self, update: impl Into<SessionUpdate>) {
        let notification = SessionNotification::new(self.id.clone(), update.into());
        self.link.notify_now(methods::SessionUpdate::NAME, &notification);
    }
}
