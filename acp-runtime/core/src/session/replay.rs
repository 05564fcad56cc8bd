//! The replay of a loaded session's history to the client.

use std::{fmt, sync::Arc};

use super::{cwd::WorkingDirectories, update::SessionOutput};
use crate::{
    TARGET,
    client::line::Line,
    store::{Entry, Said},
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
    pub(crate) fn begin(id: SessionId, line: Arc<Line>, directories: WorkingDirectories) -> Self {
        Self(Arc::new(SessionOutput::new(id, line, directories, None)))
    }

    pub(crate) fn output(&self) -> &SessionOutput {
        &self.0
    }

    /// Ends the replay. The tool calls of the history are those of the session.
    pub(crate) fn continue_in(self, session: &SessionOutput) {
        session.continue_from(&self.0);
    }
}

#[cfg(feature = "v2")]
impl SessionOutput {
    /// Nothing of this replay is sent: the client does not want the history, and the handler tells it nevertheless.
    pub(crate) fn mute(&self) {
        self.extra(|late| late.is_muted = true);
    }

    pub(super) fn is_muted(&self) -> bool {
        self.extra_so_far(|late| late.is_muted) == Some(true)
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

    pub(super) fn output(&self) -> &SessionOutput {
        &self.0
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

    /// Replays a piece of the agent's reasoning.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn tell(replay: Replay, thought: &str, answer: &str) -> Result<()> {
    ///     replay.thought(thought).await?;
    ///     replay.agent(answer).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The request was answered, the session's stream is closed, or the client is gone.
    pub async fn thought(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.update(SessionUpdate::AgentThoughtChunk(ContentChunk::new(content.into()))).await
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

    /// Replays entries in their order, with the ids of their messages. Waits while the client reads too slowly, so a long
    /// history is read and replayed page by page.
    ///
    /// Entries that this client does not follow are left out: compactions, if it did not advertise `session.compaction`,
    /// and [entries of a later version](crate::store::Said::Unknown).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use acp_runtime::{prelude::*, store::SessionStore};
    ///
    /// async fn tell(store: Arc<dyn SessionStore>, id: &SessionId, replay: Replay) -> Result<()> {
    ///     let mut last = 0;
    ///     loop {
    ///         let page = store.replay(id, last, 100).await?;
    ///         let Some(entry) = page.last() else { break Ok(()) };
    ///         last = entry.seq;
    ///         replay.entries(page).await?;
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// An entry is no history: a notice, options, a mode. Or the request was answered, the session's stream is closed, or
    /// the client is gone.
    pub async fn entries(&self, entries: impl IntoIterator<Item = Entry>) -> Result<()> {
        for Entry { seq, message_id, said, .. } in entries {
            match said {
                Said::Known(mut update) => self.0.replay_kept(&mut update, message_id.as_ref()).await?,
                Said::Unknown(_) => {
                    tracing::debug!(target: TARGET, session = %self.0.id(), seq, "an entry of a later version is left out");
                }
            }
        }
        Ok(())
    }
}
