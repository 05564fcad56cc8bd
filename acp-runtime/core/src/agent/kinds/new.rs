//! The call that opens a new session.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::Kind;
use crate::{
    agent::{
        model::{CallContext, Connection, Directories, Handlers, Part, PartsOfCall, SessionOf},
        opened_session::OpenedSession,
        start,
    },
    dialect::Opening,
    rpc::Responder,
    session::{OpenedBy, WorkingDirectories},
    values::SessionId,
    wire::{Error, Result},
};

/// A call that opens a new session.
pub struct NewCall<A: Handlers> {
    /// The id of the session, unless its handler chooses another one.
    id: SessionId,
    directories: WorkingDirectories,
    pub(super) own: PartsOfCall<A>,
    session: Option<Arc<SessionOf<A>>>,
}

/// The session that the call has opened.
pub struct NewKept<A: Handlers>(Option<Arc<SessionOf<A>>>);

impl<A: Handlers> Kind<A> for NewCall<A> {
    type Lent<'c> = &'c SessionId;
    type Kept = NewKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        Some(&self.id)
    }

    fn lend(&mut self) -> &SessionId {
        &self.id
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent)
    }

    fn leave(self, _: CallContext<A>) -> NewKept<A> {
        NewKept(self.session)
    }
}

impl<A: Handlers> NewCall<A> {
    pub(crate) fn admit(roots: &Directories<'_>) -> Self {
        let mut own = PartsOfCall::<A>::default();
        A::Parts::asks(&mut own, roots);
        Self { id: start::fresh_id(), directories: roots.kept(), own, session: None }
    }

    /// Opens a session that the client does not know yet.
    ///
    /// # Errors
    ///
    /// The handler has chosen the id of another session, or a part cannot keep the session.
    pub(crate) async fn open(
        &mut self,
        context: &CallContext<A>,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Result<Box<RawValue>> {
        let OpenedSession { session, shared, id, config, additions } = opened;
        let (connection, id) = (&context.connection, id.unwrap_or_else(|| self.id.clone()));
        let host = &connection.host;
        if host.sessions.is_known(&id) {
            return Err(taken());
        }
        let directories = additions.place(&self.directories);
        let session = start::session(connection, &mut self.own, id, session, shared, config, directories)?;
        if let Some(work) = host.parts.creates(&mut self.own, connection, &session) {
            work.await?;
        }
        let answer = session.handle.opened(&context.connection.line, Opening::New, &additions)?;
        host.sessions.insert_new(session.clone())?;
        host.parts.opened(&mut self.own, &session);
        connection.has_opened(&session);
        self.session = Some(session);
        Ok(answer)
    }
}

impl<A: Handlers> NewKept<A> {
    /// Answers the call.
    pub(crate) fn respond(
        self,
        connection: &Arc<Connection<A>>,
        responder: Option<Responder>,
        response: Result<Box<RawValue>>,
    ) {
        let is_open = response.is_ok();
        if let Some(responder) = responder {
            responder.respond(response);
        }
        if let (true, Some(session)) = (is_open, &self.0) {
            connection.tell_opened(session, OpenedBy::New);
        }
    }
}

/// The error of an id that another session has.
pub(in crate::agent) fn taken() -> Error {
    Error::internal_error("the agent chose an id for the session that another session has")
}
