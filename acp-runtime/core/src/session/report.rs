//! Reports of an agent about a session, apart from its answer: title, usage, notices.

use super::handle::SessionHandle;
use crate::{
    values::{Notice, NoticeSeverity, SessionInfoUpdate, SessionUpdate, UsageUpdate},
    wire::Result,
};

impl<C> SessionHandle<C> {
    /// Reports the session's title, or the time of its last change. If a field is not set, the client keeps its value.
    /// If a field is set to `null`, the client clears it.
    ///
    /// See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, values::SessionInfoUpdate};
    ///
    /// async fn rename<C>(session: &SessionHandle<C>) -> Result<()> {
    ///     session.info(SessionInfoUpdate::new().title("Six times seven".to_owned())).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn info(&self, info: SessionInfoUpdate) -> Result<()> {
        self.update(SessionUpdate::SessionInfoUpdate(info)).await
    }

    /// Reports the used tokens of the context and the size of the context. With [`UsageUpdate::cost`], it also reports
    /// the cost of the session.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn usage(&self, usage: UsageUpdate) -> Result<()> {
        self.update(SessionUpdate::UsageUpdate(usage)).await
    }

    /// Whether the client shows notices.
    pub fn can_show_notices(&self) -> bool {
        self.output().offers_notices()
    }

    /// Shows the user a note outside of the conversation, if the client shows notices. Returns whether the notice was
    /// sent.
    ///
    /// The agent must not depend on a notice: the client need not keep it, and it is not replayed.
    ///
    /// # Errors
    ///
    /// The title is empty, the session is over, its stream is closed, or the client is gone.
    pub async fn notice(&self, severity: NoticeSeverity, title: impl Into<String>) -> Result<bool> {
        if !self.can_show_notices() {
            return Ok(false);
        }
        self.update(SessionUpdate::Notice(Notice::new(severity, title.into()))).await?;
        Ok(true)
    }
}
