//! `session_ended`: a session is over, however it ended.

use std::sync::Arc;

use super::functions::OfSession as Functions;
use crate::{
    TARGET,
    agent::{
        call::{CallGuard, Handled, OfSession, Parts},
        declaration::SendUnlessLocal,
        expansion::{self, FromCall, slot},
        kinds::{EndingCall, EndingLent, Kind},
        methods::{answers_itself, handler},
        model::{CallContext, Connection, EndingKept, Handlers, SessionOf},
        parts::event::{Event, SessionEvent, event},
    },
    rpc::{CancellationToken, Responder, Start},
    session::{ClosedSession, Ended},
    values::SessionId,
    wire::{Error, Result},
};

handler! {
    /// `session_ended`: runs once for every session that was opened, however it ended. It is no method of the protocol.
    ///
    /// Often `async fn session_ended(&self, session: ClosedSession<Session>, handle: SessionHandle<Config>, end: Ended) -> Result<()>`.
    ///
    /// This is the place to store what changed since the last turn, and to end processes that belong to the session. The
    /// session's turn has ended, its `session_opened` is dropped, and its options change no more: the
    /// [`SessionHandle`](crate::session::SessionHandle) still has the last ones, and sends nothing.
    ///
    /// A session that is closed or deleted ends when its handler has succeeded: the function runs behind the answer, and a
    /// load of this session waits for it. So does the load of a stored session that was handed over to another process, whose client
    /// may have been told of the session there by then. When the client hangs up, or the agent [shuts
    /// down](crate::agent::Serving::with_graceful_shutdown), the function runs for all its sessions at once (those of a
    /// [`Host`](crate::agent::Host) may stay), each as soon as its turn has ended. Then the time is that of the shutdown, [`ServeOptions::shutdown_timeout`]: at its end the runtime drops
    /// the function's future, and begins no other. It does not run if the future that serves the agent is dropped.
    ///
    /// The state is gone if `close_session` or `delete_session` took it for good, or handed it to a task that still has it.
    /// `Option<ClosedSession<Session>>` is then `None`, and a function that takes `ClosedSession<Session>` does not run. If
    /// the handler failed, and the task takes the state later, the function runs when the client hangs up. An error is
    /// traced, and nobody else is told: the state does not come back.
    ///
    /// [`ServeOptions::shutdown_timeout`]: field@crate::agent::ServeOptions::shutdown_timeout
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::Ended};
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// struct Session { id: SessionId }
    ///
    /// #[acp_agent(config = Config, session = Session)]
    /// struct Coder;
    ///
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn new_session(&self, id: &SessionId) -> Session { Session { id: id.clone() } }
    ///     async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    ///
    ///     async fn session_ended(&self, session: ClosedSession<Session>, handle: SessionHandle<Config>, end: Ended) -> Result<()> {
    ///         if end != Ended::Deleted {
    ///             std::fs::write(format!("{}.brave", session.id), handle.get(Config::BRAVE).to_string())?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    /// # let _ = Coder;
    /// ```
    session_ended
}
event!(session_ended(Ended));

impl OfSession for session_ended {}

impl expansion::OfActiveSession for session_ended {}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, session_ended, A> for ClosedSession<S> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, session_ended>) -> Result<Self> {
        // As documented, and no failure.
        parts.lent.ended.take().ok_or_else(Error::request_cancelled)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, session_ended, A> for Option<ClosedSession<S>> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, session_ended>) -> Result<Self> {
        Ok(parts.lent.ended.take())
    }
}

/// The call of `session_ended`: the end of a session, and the functions that still run for it.
pub struct EndedCall<A: Handlers> {
    ending: EndingCall<A>,
    functions: Arc<Functions>,
}

impl<A: Handlers> EndedCall<A> {
    /// Runs until `over` is set.
    pub(super) fn of(
        connection: &Arc<Connection<A>>,
        ending: EndingCall<A>,
        functions: Arc<Functions>,
        over: &CancellationToken,
    ) -> (CallContext<A>, Self) {
        let mut context = CallContext::new(connection.clone());
        if let Some(session) = &ending.session {
            context.enter(session);
        }
        context.cancel = over.clone();
        (context, Self { ending, functions })
    }
}

impl<A: Handlers> Kind<A> for EndedCall<A> {
    type Lent<'c> = EndingLent<'c, A>;
    type Kept = EndingKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        self.ending.session_id()
    }

    fn lend(&mut self) -> EndingLent<'_, A> {
        self.ending.lend()
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        EndingCall::lent_id(lent)
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        EndingCall::active(lent)
    }

    fn leave(self, context: CallContext<A>) -> EndingKept<A> {
        self.ending.leave(context)
    }
}

impl<A: Handlers> Handled<A> for session_ended {
    answers_itself!(Ended => ());
    type Admitted = EndedCall<A>;

    /// Waits until the function may run: the session is over, and nothing else of it runs.
    async fn ready(
        context: &mut CallContext<A>,
        call: &mut Self::Admitted,
        _: Option<&Ended>,
        _: &mut Option<Responder>,
    ) -> Result<()> {
        // A session that the client has left is still in the table.
        if call.ending.session.is_none() {
            let is_active = call.ending.ready(context, false).await.is_ok();
            if !is_active || !call.ending.end_session(&context.connection) {
                return Err(Error::request_cancelled());
            }
        }
        call.functions.stopped().await;
        if context.cancel.is_cancelled() { Err(Error::request_cancelled()) } else { Ok(()) }
    }

    // Nobody waits for the answer, and the author's subscriber has been told of an error.
    fn respond(_: &Arc<Connection<A>>, _: EndingKept<A>, _: Option<Responder>, _: Result<()>) {}
}

impl<A: Handlers> Event<A> for session_ended {
    /// Runs the function, as a task of its own. Its cancellation drops it.
    fn start<T, F: SendUnlessLocal<T>>(event: SessionEvent<A, Self>, function: impl FnOnce(CallGuard<A, Self>) -> F) {
        let span = tracing::debug_span!(target: TARGET, "session_ended", session = event.session());
        let (connection, over) = (event.context.connection.clone(), event.context.cancel.clone());
        if !over.is_cancelled() {
            function(event.guard()).start(&connection.line.tasks, Start::Task, Some(over), span);
        }
    }
}
