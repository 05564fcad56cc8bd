//! The replay of a loaded session's history to the client.

use std::{fmt, sync::Arc};

use super::update::SessionOutput;
use crate::{
    client::line::Line,
    values::{ContentBlock, ContentChunk, SessionId, SessionUpdate},
    wire::Result,
};

/// The history of the session that `session/load` opens. Every update is sent before the answer to the request. After
/// the answer, calls fail.
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
pub struct Replay(Arc<SessionOutput>);

/// The time for the replay of a session's history. It ends when this value is dropped.
pub(crate) struct Replaying(Arc<SessionOutput>);

impl Replaying {
    pub(crate) fn begin(id: SessionId, line: Arc<Line>) -> Self {
        Self(Arc::new(SessionOutput::new(id, line, None)))
    }

    pub(crate) fn output(&self) -> &SessionOutput {
        &self.0
    }
}

impl Drop for Replaying {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay").field("session", self.0.id()).finish_non_exhaustive()
    }
}

impl Replay {
    pub(crate) fn new(replaying: &Replaying) -> Self {
        Self(replaying.0.clone())
    }

    /// Replays a message of the user.
    ///
    /// # Errors
    ///
    /// The request was answered, the session's stream is closed, or the client is gone.
    pub async fn user(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::UserMessageChunk(ContentChunk::new(content.into()))).await
    }

    /// Replays a message of the agent.
    ///
    /// # Errors
    ///
    /// The request was answered, the session's stream is closed, or the client is gone.
    pub async fn agent(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::AgentMessageChunk(ContentChunk::new(content.into()))).await
    }

    /// Replays any other update: a tool call, a plan. Options and modes are not replayed, because the answer contains
    /// them. Notices are not replayed either.
    ///
    /// # Errors
    ///
    /// Updates of this kind are not replayed, or the update needs a capability that the client did not advertise. Or
    /// the request was answered, the session's stream is closed, or the client is gone.
    pub async fn update(&self, update: impl Into<SessionUpdate>) -> Result<()> {
        self.0.replay(&mut update.into()).await
    }
}
