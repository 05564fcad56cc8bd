//! A host: one agent with its sessions. Connections share it; an agent on stdio is a host with one connection.

use std::sync::Arc;

use crate::{
    agent::model::{
        Attachment, Block, Handlers, Hosted, KeptAgent, OfSession, Part, PartsOfSession, SessionOf, TransitionOf,
    },
    schema::Method,
    session::table::Sessions,
    values::{SessionId, methods},
};

impl<A: Handlers> Hosted<A> {
    /// Whether a client can open a session again: the agent has a handler for this, or a part has.
    pub(super) const REOPENS: bool =
        serves::<A>(methods::LoadSession::NAME) || serves::<A>(methods::ResumeSession::NAME);

    pub(crate) fn new(agent: KeptAgent<A>) -> Arc<Self> {
        let parts = A::Parts::new(&agent);
        Arc::new(Self { agent, parts, sessions: Sessions::default() })
    }

    /// Announces a call that opens a session, or ends it if `ends` is set. From here on, no turn can begin in the session, and
    /// nothing can wait in it.
    pub(crate) fn announce(&self, id: &SessionId, ends: bool) -> TransitionOf<A> {
        let transition = self.sessions.announce(id, ends);
        if let Ok(session) = self.sessions.get(id.as_ref()) {
            A::Parts::cancels(session.parts(), &session);
            session.cancel_work_beside();
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

const fn serves<A: Handlers>(method: &str) -> bool {
    Block::handle(A::BLOCKS, method) || A::Parts::SERVES.has(method)
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
        A::Parts::cancels(self.parts(), self);
        self.cancel_work();
    }

    pub(crate) fn attachment(&self) -> Option<&Attachment<A>> {
        self.own().attachment.as_deref()
    }
}
