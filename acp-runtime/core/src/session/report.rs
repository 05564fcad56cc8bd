//! What an agent reports of a session besides its answer: title, usage, notices, commands.

use super::handle::SessionHandle;
use crate::{
    values::{
        AvailableCommand, AvailableCommandsUpdate, Notice, NoticeSeverity, SessionInfoUpdate, SessionUpdate,
        UsageUpdate,
    },
    wire::Result,
};

impl<C> SessionHandle<C> {
    /// Sends the whole list of slash commands; it replaces the one before.
    ///
    /// See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn commands(&self, commands: impl IntoIterator<Item = AvailableCommand>) -> Result<()> {
        let commands = commands.into_iter().collect::<Vec<_>>();
        self.update(SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands))).await
    }

    /// Tells the session's title or when it changed. What is not set stays as it was, what is set to `null`
    /// is cleared.
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

    /// Tells how many tokens of the context are used, of how many there are, and with
    /// [`UsageUpdate::cost`] what the session has cost.
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

    /// Shows the user something that is no part of the conversation, when the client can; says whether it was sent.
    ///
    /// Nothing may depend on a notice: the client need not keep it, and it is not replayed.
    ///
    /// # Errors
    ///
    /// An empty title; the session is over, its stream is closed, or the client is gone.
    pub async fn notice(&self, severity: NoticeSeverity, title: impl Into<String>) -> Result<bool> {
        if !self.can_show_notices() {
            return Ok(false);
        }
        self.update(SessionUpdate::Notice(Notice::new(severity, title.into()))).await?;
        Ok(true)
    }
}
