//! A host: one agent with its sessions. Connections share it; an agent on stdio is a host with one connection.

use std::{fmt, sync::Arc};

use super::{
    connection,
    contract::{AgentDeclaration, Handlers, Keeps, KeptAgent, OneBlockWithoutPart, Threading},
    options::ServeOptions,
    parts::Part,
    serve::Serving,
};
use crate::{
    session::{
        Ending, Session, TurnSlot,
        table::{Sessions, Transition},
    },
    transport::Transport,
    values::SessionId,
};

/// An agent for several clients: their connections share it, and its sessions.
///
/// A session belongs to the host. It has one client at a time: the one that has opened it last, by `session/new`, `session/load`
/// or `session/resume`. When this client hangs up, the session stays, with its options and its state, and another client of the
/// host can open it again. `session_opened` ends with its connection; `session_ended` runs when a client closes or deletes the
/// session. When the host and all its connections are dropped, the sessions that are left are dropped without it.
///
/// The agent and its handlers are those of [`Serve`](super::Serve), which serves one client and ends its sessions with it.
///
/// ```
/// use acp_runtime::{agent::Host, prelude::*, transport::memory};
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Echo;
///
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(request.text()).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
///
/// # async fn serve() -> Result<()> {
/// let host = Host::new(Echo);
/// let ((first, _client), (second, _other)) = (memory::pair(), memory::pair());
/// for transport in [first, second] {
///     tokio::spawn(host.serve(transport, ServeOptions::new()));
/// }
/// # Ok(())
/// # }
/// ```
pub struct Host<A: Handlers>(Arc<Hosted<A>>);

impl<A: Handlers> Clone for Host<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A: Handlers> fmt::Debug for Host<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("sessions", &self.0.sessions.active().len()).finish_non_exhaustive()
    }
}

impl<A: Handlers + Send + Sync> Host<A> {
    /// A host of this agent. Threads share the agent, also if its handlers are `local`.
    pub fn new(agent: A) -> Self {
        Self(Hosted::new(A::Threading::share(Arc::new(agent))))
    }

    /// Serves one client, until it hangs up, or until the signal of
    /// [`with_graceful_shutdown`](Serving::with_graceful_shutdown).
    ///
    /// # Errors
    ///
    /// The transport does not open, or reading fails.
    pub fn serve(
        &self,
        transport: impl Transport + Send + 'static,
        options: impl Into<ServeOptions>,
    ) -> Serving<A::Threading> {
        let (host, options) = (self.0.clone(), options.into());
        Serving::new(|shutdown| A::Threading::serve(connection::serve_one(host, transport, options, shutdown)))
    }
}

/// An agent, what its parts have of it, and its sessions.
pub(crate) struct Hosted<A: Handlers> {
    pub(crate) agent: KeptAgent<A>,
    pub(crate) parts: A::Parts,
    pub(crate) sessions: Sessions<Config<A>, State<A>, PartsOfSession<A>>,
}

impl<A: Handlers> Hosted<A> {
    pub(crate) fn new(agent: KeptAgent<A>) -> Arc<Self> {
        let parts = A::Parts::new(&agent);
        Arc::new(Self { agent, parts, sessions: Sessions::default() })
    }

    /// Announces a call that opens a session, or ends it if `ends` is set. From here on, no turn can begin in the session, and
    /// nothing can wait in it.
    pub(crate) fn announce(&self, id: &SessionId, ends: bool) -> TransitionOf<A> {
        let transition = self.sessions.announce(id, ends);
        if let Ok(session) = self.sessions.get(id.as_ref()) {
            A::Parts::cancels(session.parts());
        }
        transition
    }

    /// Takes a session out of the table. Returns false if another call was before this one.
    pub(crate) fn end(&self, session: &Arc<SessionOf<A>>) -> bool {
        let is_first = self.sessions.end(session);
        A::Parts::ended(session.parts());
        is_first
    }
}

type Config<A> = <A as AgentDeclaration>::Config;
type State<A> = <A as AgentDeclaration>::Session;

/// What the agent's parts have of each session.
pub(crate) type PartsOfSession<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfSession;
/// What the agent's parts have of each call that opens a session or is a turn.
pub(crate) type PartsOfCall<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfCall;
/// What the agent's parts have of each connection.
pub(crate) type PartsOfConnection<A> = <<A as OneBlockWithoutPart>::Parts as Part<A>>::OfConnection;

/// A session of the agent.
pub(crate) type SessionOf<A> = Session<Config<A>, State<A>, PartsOfSession<A>>;
/// The right of a turn to its session.
pub(crate) type SlotOf<A> = TurnSlot<Config<A>, State<A>, PartsOfSession<A>>;
/// The end of a session, which has begun.
pub(crate) type EndingOf<A> = Ending<Config<A>, State<A>, PartsOfSession<A>>;
/// A call that opens or ends a session, among the others that do.
pub(crate) type TransitionOf<A> = Transition<Config<A>, State<A>, PartsOfSession<A>>;
