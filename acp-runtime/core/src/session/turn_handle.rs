//! A running turn, for code beside it.

use std::{fmt, ops::Deref};

use super::handle::SessionHandle;
use crate::{rpc::CancellationToken, values::MessageId};

/// A turn that runs, for the handler [`steer`](crate::agent::handlers::steer) beside it.
///
/// It is also a [`SessionHandle`], so it has `turn.message(..)`, `turn.id()`, `turn.config()` and `turn.update_config(..)`. The
/// handler runs beside the turn, so the turn may end meanwhile. What a prompt says reaches the turn by a channel of the
/// agent's own.
///
/// ```
/// use acp_runtime::{prelude::*, session::TurnHandle};
///
/// # #[acp_agent(turns = "steer")]
/// # #[derive(Clone)]
/// # struct Coder;
/// #[acp_agent]
/// impl Coder {
/// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
///     async fn steer(&self, turn: TurnHandle<Self>) -> Result<Steered> {
///         if !turn.is_cancelled() {
///             turn.thought("I shall come to that next.").await?;
///         }
///         Ok(Steered::Queued)
///     }
/// }
/// # let _ = Coder;
/// ```
pub struct TurnHandle<C> {
    session: SessionHandle<C>,
    cancel: CancellationToken,
    message: MessageId,
}

impl<C> TurnHandle<C> {
    pub(crate) fn new(session: SessionHandle<C>, cancel: CancellationToken, message: MessageId) -> Self {
        Self { session, cancel, message }
    }

    /// The session. You can keep it beyond the turn.
    pub fn session(&self) -> &SessionHandle<C> {
        &self.session
    }

    /// The id that the message of the prompt has, if the turn takes the prompt in: [`Steered::Joined`](super::Steered::Joined). On
    /// version 2, it is the `messageId` of the prompt's answer. An agent that keeps its sessions by itself adds the prompt with it:
    /// [`Recording::prompt_with_id`](super::Recording::prompt_with_id). A prompt that becomes a turn of its own has the id of
    /// [that turn](super::Turn::message_id).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::{Recording, TurnHandle}};
    ///
    /// fn take_in<C>(turn: &TurnHandle<C>, request: &PromptRequest, recording: &Recording) -> Steered {
    ///     recording.prompt_with_id(turn.message_id().clone(), &request.prompt);
    ///     Steered::Joined
    /// }
    /// ```
    pub fn message_id(&self) -> &MessageId {
        &self.message
    }

    /// Whether the turn has been cancelled. A cancelled turn stays cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Waits until the turn is cancelled. A turn that ends by itself is not.
    pub async fn cancelled(&self) {
        self.cancel.cancelled().await;
    }
}

impl<C> Clone for TurnHandle<C> {
    fn clone(&self) -> Self {
        Self { session: self.session.clone(), cancel: self.cancel.clone(), message: self.message.clone() }
    }
}

impl<C> Deref for TurnHandle<C> {
    type Target = SessionHandle<C>;

    fn deref(&self) -> &SessionHandle<C> {
        &self.session
    }
}

impl<C> fmt::Debug for TurnHandle<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnHandle").field("session", &self.session).field("cancelled", &self.is_cancelled()).finish()
    }
}
