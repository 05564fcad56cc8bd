//! The ids of what the user says: of the message that a turn answers, and of those beside it.
//!
//! On a version that names messages, the client knows these ids. On others, the runtime makes an id when it is asked for: a store
//! or the author may keep it, for a client that names messages.

use super::{beside::PromptBeside, turn::Turn, update::SessionOutput};
use crate::{
    dialect::MessageTracker,
    rpc::CancellationToken,
    values::{ContentBlock, ContentChunk, MessageId, SessionUpdate},
};

impl<C> Turn<C> {
    /// The id of the user's message that this turn answers: on version 2, the `messageId` of the prompt's answer. A client of version
    /// 1 is told no id. There, the runtime makes one. It is the id that a store or a [`Recording`](super::Recording) keeps. `None` for
    /// work that no prompt asks for.
    ///
    /// It is for an agent that keeps its sessions by itself, because a replay has the ids of the messages. With
    /// [`SessionHandle::record`](super::SessionHandle::record), the agent needs no ids. Ask while the turn runs.
    ///
    /// See [Prompt accepted](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#2-prompt-accepted).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, values::{ContentChunk, SessionUpdate}};
    ///
    /// /// The messages of the user, for a later `replay.update(message)`.
    /// fn kept<C>(turn: &Turn<C>, request: PromptRequest) -> Vec<SessionUpdate> {
    ///     let piece = |said| SessionUpdate::UserMessageChunk(ContentChunk::new(said).message_id(turn.message_id()));
    ///     request.prompt.into_iter().map(piece).collect()
    /// }
    /// ```
    pub fn message_id(&self) -> Option<MessageId> {
        self.message.get_or_init(|| self.session().output().message_of_call(self.client().cancellation())).clone()
    }
}

impl SessionOutput {
    /// Notes what the user has said with the prompt that has begun the turn. Returns the id of the message, if the session is
    /// recorded.
    pub(crate) fn prompted(&self, prompt: &[ContentBlock]) -> Option<MessageId> {
        let recorder = self.recorder()?;
        let mut id = None;
        let mut keep = || {
            id = self.next_message_of_turn(None);
            recorder.clone().prompted(prompt, id.clone());
        };
        // Nothing is written, but the order of the messages is that of the buffer.
        match self.followers() {
            Some(followers) => followers.keeps_prompt(&mut keep),
            None => self.in_order(&mut keep),
        }
        id
    }

    /// As [`prompted`](Self::prompted), of a prompt that is answered beside the turn.
    pub(crate) fn prompted_beside(&self, beside: &PromptBeside, prompt: &[ContentBlock]) {
        if self.recorder().is_some()
            && let Some(id) = beside.message_id()
        {
            self.said_beside(prompt, &id);
        }
    }

    /// Notes what the user has said beside the prompt that has begun the turn, as the message with this id.
    pub(crate) fn said_beside(&self, prompt: &[ContentBlock], id: &MessageId) {
        let Some(recorder) = self.recorder() else { return };
        self.in_order(&mut || {
            self.pause_message();
            recorder.clone().prompted(prompt, Some(id.clone()));
        });
    }

    /// The id of what the user says now, which is not this message. It ends the current message.
    pub(super) fn user_message_id(&self, not: Option<&MessageId>) -> Option<MessageId> {
        let mut id = None;
        self.in_order(&mut || id = self.next_message_of_turn(not));
        id
    }

    /// The id of the message that has begun the turn, unless it is this one; else that of a new message. The lock of the buffer must
    /// be held.
    fn next_message_of_turn(&self, not: Option<&MessageId>) -> Option<MessageId> {
        self.pause_message();
        let told = self.message_of_turn();
        if told.is_some() && told.as_ref() != not {
            return told;
        }
        let id = self.message_id_of(&SessionUpdate::UserMessageChunk(ContentChunk::new("".into())));
        self.pause_message();
        if told.is_none() {
            self.extra(|late| late.user_message.clone_from(&id));
        }
        id
    }

    /// Makes the id of a message that has begun a turn.
    pub(super) fn name_message_of_turn(&self) -> MessageId {
        let id = MessageTracker::whole();
        self.extra(|late| late.user_message = Some(id.clone()));
        id
    }

    /// The turn has ended, or begins.
    #[inline]
    pub(super) fn forget_message_of_turn(&self) {
        if self.extra_so_far(|late| late.user_message.is_some()) == Some(true) {
            self.extra(|late| late.user_message = None);
        }
    }

    /// The message that has begun the turn, if it has an id.
    fn message_of_turn(&self) -> Option<MessageId> {
        self.extra_so_far(|late| late.user_message.clone()).flatten()
    }

    /// The message of the prompt that this call answers: the turn, or a call beside it.
    fn message_of_call(&self, call: &CancellationToken) -> Option<MessageId> {
        if let Some(message) = self.message_beside(call) {
            return message;
        }
        let named = self.extra(|late| late.user_message.get_or_insert_with(MessageTracker::whole).clone());
        // The session is over, and nobody knows another id.
        Some(named.unwrap_or_else(MessageTracker::whole))
    }
}
