//! `session_ended`: a session is over, however it ended.

use super::{Handled, OfSession, answers_itself, event, handler};
use crate::{
    agent::{
        context::{CallContext, Kept},
        contract::{self, FromCall, Handlers, Parts, slot},
    },
    rpc::Responder,
    session::{ClosedSession, Ended},
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
    /// load of this session waits for it. When the client hangs up, or the agent [shuts
    /// down](crate::agent::Serving::with_graceful_shutdown), the function runs for all sessions at once, each as soon as its
    /// turn has ended. Then the time is that of the shutdown, [`ServeOptions::shutdown_timeout`]: at its end the runtime drops
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
    /// use acp_runtime::prelude::*;
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

impl contract::OfActiveSession for session_ended {}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, session_ended, A> for ClosedSession<S> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, session_ended>) -> Result<Self> {
        // As documented, and no failure.
        parts.take_ended().ok_or_else(Error::request_cancelled)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, session_ended, A> for Option<ClosedSession<S>> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, session_ended>) -> Result<Self> {
        Ok(parts.take_ended())
    }
}

impl<A: Handlers> Handled<A> for session_ended {
    answers_itself!(Ended => ());

    fn admit(_: &mut CallContext<A>, _: &Self::Params) -> Result<()> {
        Ok(())
    }

    async fn ready(context: &mut CallContext<A>) -> Result<()> {
        context.ended().await
    }

    // Nobody waits for the answer, and the author's subscriber has been told of an error.
    fn respond(_: &mut Kept<A>, _: Option<Responder>, _: Result<()>) {}
}
