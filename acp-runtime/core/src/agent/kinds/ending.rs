//! Calls that end a session.

use std::sync::Arc;

use super::Kind;
use crate::{
    agent::model::{CallContext, Connection, EndState, EndingKept, EndingOf, Handlers, Part, SessionOf, TransitionOf},
    session::{ClosedSession, Closing, Ended, Ending, table::TransitionTurn},
    values::SessionId,
    wire::{Error, Result},
};

/// A call that ends a session.
pub struct EndingCall<A: Handlers> {
    id: SessionId,
    end: Ended,
    transition: Option<TransitionOf<A>>,
    /// Its turn among the calls that open or end the session.
    turn: Option<TransitionTurn>,
    /// The end, unless it was undone. It has begun when the session is found.
    ending: Option<EndingOf<A>>,
    /// The session, if it is active.
    pub(crate) session: Option<Arc<SessionOf<A>>>,
    state: EndState,
}

/// What the handler of such a call gets of it.
pub struct EndingLent<'c, A: Handlers> {
    pub(crate) id: &'c SessionId,
    pub(crate) active: Option<&'c SessionOf<A>>,
    /// `None` if the session was not active, or when a parameter has it.
    pub(crate) ended: Option<ClosedSession<A::Session>>,
}

impl<A: Handlers> Kind<A> for EndingCall<A> {
    type Lent<'c> = EndingLent<'c, A>;
    type Kept = EndingKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        Some(&self.id)
    }

    fn lend(&mut self) -> EndingLent<'_, A> {
        EndingLent { id: &self.id, active: self.session.as_deref(), ended: self.ending.as_ref().and_then(Ending::lend) }
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.id)
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        lent.active
    }

    fn leave(self, _: CallContext<A>) -> EndingKept<A> {
        let Self { id, end, transition, turn, ending, session, state } = self;
        EndingKept { turn, transition, ending, session, id, end, state }
    }
}

impl<A: Handlers> EndingCall<A> {
    /// Announces the end of a session. From here on, no turn can begin in it.
    pub(crate) fn announce(connection: &Connection<A>, id: &SessionId, end: Ended) -> Self {
        let transition = Some(connection.host.announce(id, true));
        Self { id: id.clone(), end, transition, turn: None, ending: None, session: None, state: EndState::Asked }
    }

    /// As [`announce`](Self::announce), for a client that asks for the end. A session that is `stored` need not be active, and may be one that
    /// no client has any more.
    ///
    /// # Errors
    ///
    /// Another connection has the session. Or it is not stored, and neither active nor about to be.
    pub(crate) fn ask(connection: &Connection<A>, id: &SessionId, end: Ended, stored: bool) -> Result<Self> {
        let sessions = &connection.host.sessions;
        let may_end = match sessions.get(id.as_ref()) {
            Ok(session) => connection.has(&session) || stored && connection.finds_left(&session),
            Err(_) => stored || sessions.is_known(id),
        };
        if !may_end {
            return Err(Error::session_not_found(id.as_ref()));
        }
        Ok(Self::announce(connection, id, end))
    }

    /// The end of a session that has ended already.
    pub(in crate::agent) fn done(session: &Arc<SessionOf<A>>, end: Ended) -> Self {
        Self {
            id: session.handle.id().clone(),
            end,
            transition: None,
            turn: None,
            ending: None,
            session: Some(session.clone()),
            state: EndState::Ended,
        }
    }

    fn unknown(&self) -> Error {
        Error::session_not_found(self.id.as_ref())
    }

    pub(crate) fn end(&self) -> Ended {
        self.end
    }

    /// Waits for the calls before this one, ends the session's turn, and takes its state. A session that is `stored` need not be
    /// active.
    ///
    /// # Errors
    ///
    /// The session is not active. Or another connection has it, also if an earlier call has opened it there meanwhile.
    pub(crate) async fn ready(&mut self, context: &mut CallContext<A>, stored: bool) -> Result<()> {
        let connection = context.connection.clone();
        let sessions = &connection.host.sessions;
        // The turn is cancelled before this function waits. Otherwise an earlier call or the turn could wait for a
        // change that waits for the client.
        let now = sessions.get(self.id.as_ref()).ok();
        let _closing = now.map(Closing::begin);
        if let Some(transition) = &self.transition {
            self.turn = Some(transition.turn().await);
        }
        let Ok(session) = sessions.get(self.id.as_ref()) else {
            return if stored { Ok(()) } else { Err(self.unknown()) };
        };
        if !connection.has(&session) && !connection.finds_left(&session) {
            return Err(self.unknown());
        }
        self.ending = Some(Ending::begin(session.clone()).await);
        if let Some(work) = A::Parts::passes(session.parts(), &session) {
            work.await;
        }
        context.enter(&session);
        self.session = Some(session);
        Ok(())
    }

    /// Ends the session, when the handler of its end has succeeded.
    ///
    /// # Errors
    ///
    /// A part cannot keep the end.
    pub(crate) async fn conclude(&mut self, context: &CallContext<A>) -> Result<()> {
        let (connection, host) = (&context.connection, &context.connection.host);
        if let Some(work) = host.parts.before_end(connection, &self.id, self.session.as_ref(), self.end) {
            work.await?;
        }
        self.end_session(&context.connection);
        let behind = self.session.as_ref().and_then(|session| host.parts.behind_end(session, self.end));
        if let Some(work) = behind {
            work.await;
        }
        Ok(())
    }

    /// Takes the session out of the table. Returns whether this call was the first to do so.
    pub(in crate::agent) fn end_session(&mut self, connection: &Connection<A>) -> bool {
        let is_first = self.session.as_ref().is_none_or(|session| connection.host.end(session));
        self.state = if is_first { EndState::Ended } else { EndState::EndedBefore };
        is_first
    }

    /// Whether it has ended the session.
    pub(crate) fn has_ended(&self) -> bool {
        self.state != EndState::Asked
    }

    /// The handler has failed: the session goes on, unless its state was taken for good.
    pub(crate) fn undo(&mut self, context: &CallContext<A>) {
        let Some(ending) = &self.ending else { return };
        let (connection, end) = (context.connection.clone(), self.end);
        if ending.undo(move |session| connection.end_late(session, end)) {
            self.ending = None;
        } else {
            self.end_session(&context.connection);
        }
    }
}

impl<A: Handlers> EndingKept<A> {
    /// The client has been told of the end.
    pub(crate) fn tell(self, connection: &Arc<Connection<A>>) {
        if self.state != EndState::Ended {
            return;
        }
        if let (Some(session), true) = (self.session.clone(), self.ending.is_some()) {
            let own = (session.parts(), &connection.parts);
            let _ = connection.host.parts.ended_for(own, connection, self);
        }
    }

    /// The end, for the function that runs behind it: calls that open or end the session wait for this function, too.
    pub(in crate::agent) fn into_call(self) -> EndingCall<A> {
        let Self { turn, transition, ending, session, id, end, state } = self;
        EndingCall { id, end, transition, turn, ending, session, state }
    }
}
