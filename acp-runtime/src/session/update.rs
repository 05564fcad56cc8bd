//! Sending `session/update` for one session.

use std::sync::Arc;

use crate::{
    connection::link::Link,
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

    /// Sends an update; waits while the client is behind with reading.
    pub(crate) async fn send(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        let notification = SessionNotification::new(self.id.clone(), update.into());
        self.link.notify(methods::SessionUpdate::NAME, &notification).await
    }

    /// Sends an update at once.
    pub(crate) fn send_now(&self, update: impl Into<SessionUpdate>) {
        let notification = SessionNotification::new(self.id.clone(), update.into());
        self.link.notify_now(methods::SessionUpdate::NAME, &notification);
    }
}
