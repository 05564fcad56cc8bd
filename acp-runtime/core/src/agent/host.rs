//! A host: one agent with its sessions. Connections share it; an agent on stdio is a host with one connection.

use std::sync::Arc;

use super::{
    expansion::{AgentDeclaration, Attachment, Handlers, KeptAgent, OneBlockWithoutPart},
    parts::Part,
};
use crate::{
    session::{
        Ending, Session, TurnSlot,
        table::{Sessions, Transition},
    },
    values::SessionId,
};

/// An agent, what its parts have of it, and its sessions.
pub(crate) struct Hosted<A: Handlers> {
    pub(crate) agent: KeptAgent<A>,
    pub(crate) parts: A::Parts,
    pub(crate) sessions: Sessions<Config<A>, State<A>, OfSession<A>>,
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

/// What the agent has of a session.
pub struct OfSession<A: Handlers> {
    parts: PartsOfSession<A>,
    /// `None` if the agent has no hooks, and its handlers share nothing.
    attachment: Option<Arc<Attachment<A>>>,
}

impl<A: Handlers> OfSession<A> {
    pub(super) fn new(attachment: Option<Arc<Attachment<A>>>) -> Self {
        Self { parts: PartsOfSession::<A>::default(), attachment }
    }
}

impl<A: Handlers> SessionOf<A> {
    /// What the agent's parts have of the session.
    pub(crate) fn parts(&self) -> &PartsOfSession<A> {
        &self.own().parts
    }

    /// Cancels what the session does. What waits is cancelled first: otherwise it could begin between the two.
    pub(super) fn cancel(&self) {
        A::Parts::cancels(self.parts());
        self.cancel_turn();
    }

    pub(crate) fn attachment(&self) -> Option<&Attachment<A>> {
        self.own().attachment.as_deref()
    }
}

/// A session of the agent.
pub(crate) type SessionOf<A> = Session<Config<A>, State<A>, OfSession<A>>;
/// The right of a turn to its session.
pub(crate) type SlotOf<A> = TurnSlot<Config<A>, State<A>, OfSession<A>>;
/// The end of a session, which has begun.
pub(crate) type EndingOf<A> = Ending<Config<A>, State<A>, OfSession<A>>;
/// A call that opens or ends a session, among the others that do.
pub(crate) type TransitionOf<A> = Transition<Config<A>, State<A>, OfSession<A>>;
