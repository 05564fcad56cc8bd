//! A running turn, for code beside it.

use std::{fmt, ops::Deref};

use super::handle::SessionHandle;
use crate::rpc::CancellationToken;

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
}

impl<C> TurnHandle<C> {
    pub(crate) fn new(session: SessionHandle<C>, cancel: CancellationToken) -> Self {
        Self { session, cancel }
    }

    /// The session. You can keep it beyond the turn.
    pub fn session(&self) -> &SessionHandle<C> {
        &self.session
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
        Self { session: self.session.clone(), cancel: self.cancel.clone() }
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
