//! Telling the client a loaded session's history.

use std::{fmt, sync::Arc};

use super::update::Updates;
use crate::{
    connection::link::Link,
    schema::v1::{ContentBlock, ContentChunk, SessionId, SessionUpdate},
    wire::Result,
};

/// The history of the session that `session/load` asked for. All of it is sent before the request is answered.
///
/// See [Loading sessions](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn tell(replay: Replay) -> Result<()> {
///     replay.user("What is six times seven?").await?;
///     replay.agent("42").await
/// }
/// ```
pub struct Replay(Updates);

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Replay").field(self.0.id()).finish()
    }
}

impl Replay {
    pub(crate) fn new(id: SessionId, link: Arc<Link>) -> Self {
        Self(Updates::new(id, link))
    }

    /// Something the user said.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn user(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::UserMessageChunk(ContentChunk::new(content.into()))).await
    }

    /// Something the agent said.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn agent(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::AgentMessageChunk(ContentChunk::new(content.into()))).await
    }

    /// Any other update: a tool call, a plan.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn update(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        self.0.send(update).await
    }
}
