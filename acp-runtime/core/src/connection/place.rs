//! What one call holds while it runs: its session, its turn, whom it serves.

use std::{path::PathBuf, sync::Arc};

use crate::cancellation::{CancellationToken, DropGuard};

use super::{Connection, link::Link};
use crate::{
    agent::{Handlers, NewSession, SessionHooks},
    config::ConfigOptions,
    schema::v1::{self, SessionConfigOption, SessionId, SessionModeState},
    session::{Replaying, Session, SessionHandle, TurnSlot},
    wire::Result,
};

/// A call's place in the connection.
pub struct Place<A: Handlers> {
    connection: Arc<Connection<A>>,
    /// What `&self` is; set once the call is admitted.
    receiver: Arc<A>,
    pub(crate) session_id: Option<SessionId>,
    session: Option<Arc<Session<A>>>,
    turn: Option<TurnSlot<A>>,
    ended: Option<A::Session>,
    /// Of `session/list`: the one working directory whose sessions are wanted.
    pub(crate) wanted_cwd: Option<PathBuf>,
    /// Of `session/load`: dropped with the place, and so before the answer.
    pub(crate) replaying: Option<Replaying>,
    pub(crate) cancel: CancellationToken,
}

/// What a place lends to the parameters of a handler.
pub(crate) struct LentPlace<'c, A: Handlers> {
    pub(crate) receiver: &'c A,
    pub(crate) link: &'c Arc<Link>,
    pub(crate) session_id: Option<&'c SessionId>,
    pub(crate) handle: Option<&'c SessionHandle<A::Config>>,
    pub(crate) state: Option<&'c mut A::Session>,
    pub(crate) ended: Option<A::Session>,
    pub(crate) replaying: Option<&'c Replaying>,
    pub(crate) cancel: &'c CancellationToken,
}

/// A session that has just been opened, in the protocol's terms.
pub(crate) struct Opened {
    pub(crate) id: SessionId,
    pub(crate) modes: Option<SessionModeState>,
    pub(crate) config_options: Option<Vec<SessionConfigOption>>,
    pub(crate) meta: Option<v1::Meta>,
}

impl<A: Handlers> Place<A> {
    pub(crate) fn new(connection: Arc<Connection<A>>) -> Self {
        Self {
            receiver: connection.agent.clone(),
            connection,
            session_id: None,
            session: None,
            turn: None,
            ended: None,
            wanted_cwd: None,
            replaying: None,
            cancel: CancellationToken::new(),
        }
    }

    pub(crate) fn is_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// The call concerns a session that need not be active.
    pub(crate) fn name(&mut self, id: &SessionId) {
        self.session_id = Some(id.clone());
    }

    /// The call belongs to an active session; `&self` has its options.
    pub(crate) fn enter_session(&mut self, id: &SessionId) -> Result<()> {
        let session = self.connection.sessions.get(id.as_ref())?;
        self.receiver = A::receiver(&self.connection.agent, &session.handle.config());
        self.session_id = Some(id.clone());
        self.session = Some(session);
        Ok(())
    }

    /// The call ends an active session: from here on no other call finds it.
    pub(crate) fn take_session(&mut self, id: &SessionId) -> Result<()> {
        self.enter_session(id)?;
        self.connection.sessions.remove(id);
        Ok(())
    }

    /// The call is a turn of an active session that has no other.
    pub(crate) fn begin_turn(&mut self, id: &SessionId) -> Result<()> {
        self.enter_session(id)?;
        let session = self.session.as_ref().expect("just entered");
        self.turn = Some(session.begin_turn(&self.cancel)?);
        Ok(())
    }

    /// Cancels the turn of the call's session, if it has one, and waits for its end.
    pub(crate) async fn stop_turn(&mut self) {
        let session = match (&self.session, &self.session_id) {
            (Some(session), _) => Some(session.clone()),
            (None, Some(id)) => self.connection.sessions.get(id.as_ref()).ok(),
            (None, None) => None,
        };
        if let Some(session) = session {
            session.end_turn().await;
        }
    }

    /// Gives back what the call holds. Of a turn, what is returned tells its end to who waits for it.
    pub(crate) fn leave(mut self) -> Option<DropGuard> {
        self.turn.take().and_then(TurnSlot::free)
    }

    /// Takes the state of the session that this call ends.
    pub(crate) fn end_session(&mut self) {
        self.ended = self.session.as_ref().and_then(|session| session.take_state());
    }

    /// Opens a session, replacing one of the same id.
    pub(crate) fn open(&self, id: Option<SessionId>, opened: NewSession<A::Session, A::Config>) -> Result<Opened> {
        let NewSession { session, id: chosen, config, meta } = opened;
        let mut is_new = false;
        let id = match (id, chosen) {
            (Some(id), _) => id,
            (None, Some(chosen)) => {
                is_new = true;
                chosen
            }
            (None, None) => fresh_id(),
        };
        // What an active session's options are now is newer than anything that was stored of them.
        let config = match (self.connection.sessions.get(id.as_ref()), config) {
            (Ok(active), _) => active.handle.config().snapshot(),
            (Err(_), Some(config)) => config,
            (Err(_), None) => self.connection.agent.initial_config(),
        };
        let hooks = SessionHooks::of(&self.connection.agent, &self.connection.link, &id);
        let session =
            Session::new(SessionHandle::new(id.clone(), config, hooks, self.connection.link.clone())?, session);
        let audience = self.connection.link.audience();
        let opened =
            Opened { id, modes: session.handle.modes(), config_options: session.handle.options(audience), meta };
        if is_new {
            self.connection.sessions.insert_new(session)?;
        } else {
            self.connection.sessions.insert(session);
        }
        Ok(opened)
    }

    pub(crate) fn lend(&mut self) -> LentPlace<'_, A> {
        LentPlace {
            receiver: &self.receiver,
            link: &self.connection.link,
            session_id: self.session_id.as_ref(),
            handle: self.session.as_ref().map(|session| &session.handle),
            state: self.turn.as_mut().and_then(TurnSlot::state),
            ended: self.ended.take(),
            replaying: self.replaying.as_ref(),
            cancel: &self.cancel,
        }
    }
}

fn fresh_id() -> SessionId {
    SessionId::from(format!("sess_{}", uuid::Uuid::now_v7().simple()))
}
