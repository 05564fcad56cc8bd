//! Messages of the agent that change after they were said.

use std::fmt;

use super::{handle::SessionHandle, update::Updates};
use crate::{
    dialect::{
        MessageTracker,
        marks::{self, mark},
    },
    values::{ContentBlock, ContentChunk, MessageId, SessionUpdate},
    wire::Result,
};

/// A message of the agent, or a piece of its reasoning, that it can add to, replace and clear by its id.
/// [`SessionHandle::message_with_id`] makes one. It comes with the feature `v2`.
///
/// On version 1, nothing that was said can be taken back. There, [`replace`](Self::replace) says the new content as another message,
/// and [`clear`](Self::clear) says nothing. A store keeps what was said, with the message that it replaces.
///
/// See [Agent reports output](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#3-agent-reports-output).
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn answer(session: &SessionHandle<()>) -> Result<()> {
///     let mut message = session.message_with_id("answer-1");
///     message.append("I think it is 41").await?;
///     message.replace(["It is 42."]).await?;
///     message.append(" I am sure.").await
/// }
/// ```
pub struct MessageHandle {
    /// The id that the author gave.
    id: MessageId,
    /// The id of the message that the client shows, if the client shows another one.
    shown_as: Option<MessageId>,
    of: fn(ContentChunk) -> SessionUpdate,
    updates: Updates,
}

impl<C: Send + Sync + 'static> SessionHandle<C> {
    /// The message of the agent with this id, to add to it, replace it or clear it. The id is unique among the messages of the
    /// session. Nothing is sent yet. It comes with the feature `v2`.
    pub fn message_with_id(&self, id: impl Into<MessageId>) -> MessageHandle {
        MessageHandle { id: id.into(), shown_as: None, of: SessionUpdate::AgentMessageChunk, updates: self.updates() }
    }

    /// The same of a piece of the agent's reasoning.
    pub fn thought_with_id(&self, id: impl Into<MessageId>) -> MessageHandle {
        MessageHandle { of: SessionUpdate::AgentThoughtChunk, ..self.message_with_id(id) }
    }
}

impl MessageHandle {
    /// The id of the message.
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Adds to the message.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn append(&self, content: impl Into<ContentBlock>) -> Result<()> {
        self.updates.send(&self.piece(content.into())).await
    }

    /// Replaces the message by this content. On version 1, this is another message.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn replace(&mut self, content: impl IntoIterator<Item: Into<ContentBlock>>) -> Result<()> {
        let content: Vec<_> = content.into_iter().map(Into::into).collect();
        self.updates.room_to_say().await?;
        let begins = if self.updates.replaces_messages() {
            Some(!content.is_empty())
        } else {
            self.shown_as = Some(MessageTracker::whole());
            None
        };
        // A message without content has an empty piece, so that a store keeps it.
        let content = match begins {
            Some(false) => vec![ContentBlock::from("")],
            _ => content,
        };
        for (index, block) in content.into_iter().enumerate() {
            let mut piece = self.chunk(block);
            if let Some(has_content) = begins.filter(|_| index == 0) {
                mark(&mut piece.meta, marks::REPLACES, has_content);
            }
            self.updates.send_added(&(self.of)(piece), 0)?;
        }
        Ok(())
    }

    /// Takes all content of the message away. On version 1, the client goes on to show it, and what is added later is another
    /// message.
    ///
    /// # Errors
    ///
    /// As [`replace`](Self::replace).
    pub async fn clear(&mut self) -> Result<()> {
        self.replace(std::iter::empty::<ContentBlock>()).await
    }

    fn chunk(&self, content: ContentBlock) -> ContentChunk {
        ContentChunk::new(content).message_id(self.shown_as.as_ref().unwrap_or(&self.id).clone())
    }

    fn piece(&self, content: ContentBlock) -> SessionUpdate {
        (self.of)(self.chunk(content))
    }
}

impl fmt::Debug for MessageHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageHandle").field("id", &self.id).finish_non_exhaustive()
    }
}
