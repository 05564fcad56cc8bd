//! `session_opened`: a session was opened, and its client knows it.

use std::sync::Arc;

use super::functions::Begun;
use crate::{
    TARGET,
    agent::{
        call::{CallGuard, Handled, OfSession, Parts},
        declaration::SendUnlessLocal,
        expansion::{self, FromCall},
        kinds::{Active, Kind},
        methods::{answers_itself, handler},
        model::{CallContext, Connection, Handlers},
        parts::event::{Event, SessionEvent, event},
    },
    rpc::Responder,
    session::OpenedBy,
    wire::Result,
};

handler! {
    /// `session_opened`: runs when `session/new`, `session/load` or `session/resume` has been answered. It is no method of the
    /// protocol.
    ///
    /// Often `async fn session_opened(&self, session: SessionHandle<Config>, how: OpenedBy) -> Result<()>`.
    ///
    /// This is the place to announce commands that are known only at run time, to tell of an MCP server that failed, and to
    /// follow things as long as the session lives. The function runs as a task of its own. The client may prompt at the same
    /// time, so the first turn may begin before the function ends. The runtime drops the function's future at its next
    /// `.await` when the session ends, when the session is opened again (then the function runs again), and when the client
    /// hangs up. An error is traced, and nobody else is told.
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::OpenedBy, values::AvailableCommand};
    ///
    /// #[acp_agent]
    /// #[derive(Clone)]
    /// struct Coder;
    ///
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn session_opened(&self, session: SessionHandle<Self>, how: OpenedBy) -> Result<()> {
    ///         session.commands([AvailableCommand::new("fix", "Mends what the tests complain of")]).await?;
    ///         if how == OpenedBy::Loaded {
    ///             session.thought("Where were we?").await?;
    ///         }
    ///         Ok(())
    ///     }
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    /// }
    /// # let _ = Coder;
    /// ```
    session_opened
}
event!(session_opened(OpenedBy));

impl OfSession for session_opened {}

impl expansion::OfActiveSession for session_opened {}

impl<A: Handlers> Handled<A> for session_opened {
    answers_itself!(OpenedBy => ());
    type Admitted = Active<A, Option<Begun>>;

    // Nobody waits for the answer, and the author's subscriber has been told of an error.
    fn respond(_: &Arc<Connection<A>>, _: <Self::Admitted as Kind<A>>::Kept, _: Option<Responder>, _: Result<()>) {}
}

impl<A: Handlers> Event<A> for session_opened {
    /// Runs the function, until the session ends.
    fn start<T, F: SendUnlessLocal<T>>(
        mut event: SessionEvent<A, Self>,
        function: impl FnOnce(CallGuard<A, Self>) -> F,
    ) {
        let span = tracing::debug_span!(target: TARGET, "session_opened", session = event.session());
        let (until, begun) = (event.context.cancel.clone(), event.admitted.with.take());
        function(event.guard()).start_beside(until, begun, span);
    }
}
