//! Calls that open a session again: one that is active, or one that the agent or a part has kept.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::Kind;
use crate::{
    agent::{
        declaration::AgentDeclaration,
        model::{CallContext, Connection, Directories, Handlers, Part, PartsOfCall, SessionOf, TransitionOf},
        opened_session::OpenedSession,
        start,
    },
    client::line::Line,
    config::order,
    dialect::Opening,
    rpc::Responder,
    session::{Additions, Closing, OpenedBy, Replaying, WorkingDirectories, table::TransitionTurn},
    values::SessionId,
    wire::Result,
};

/// What the handler has opened.
pub(in crate::agent) type OpenedSessionOf<A> = OpenedSession<
    <A as AgentDeclaration>::Session,
    <A as AgentDeclaration>::Config,
    <A as AgentDeclaration>::KeptShared,
>;

/// A call that opens a session again.
pub struct Reopening<A: Handlers> {
    id: SessionId,
    how: OpenedBy,
    directories: WorkingDirectories,
    transition: TransitionOf<A>,
    /// Its turn among the calls that open or end the session.
    turn: Option<TransitionTurn>,
    /// The session that was active before, and then the one that the call has opened.
    pub(crate) session: Option<Arc<SessionOf<A>>>,
    /// Only a load has a replay, until its end.
    pub(crate) replaying: Option<Replaying>,
    /// While it lives, no other change of the options is published. It lives until the answer.
    options: Option<order::Turn>,
    /// The line of the client that had the session. If the call fails, the session is that client's again.
    earlier: Option<Arc<Line>>,
    /// The state that a new state has replaced. Its drop may take long, and may panic.
    state: Option<(A::Session, A::KeptShared)>,
    own: PartsOfCall<A>,
}

/// What the handler of such a call gets of it.
pub struct ReopeningLent<'c, A: Handlers> {
    pub(crate) id: &'c SessionId,
    pub(crate) active: Option<&'c SessionOf<A>>,
    pub(crate) replaying: Option<&'c Replaying>,
}

/// What lives until the answer; the fields are dropped in this order.
pub struct ReopeningKept<A: Handlers> {
    _options: Option<order::Turn>,
    _turn: Option<TransitionTurn>,
    transition: TransitionOf<A>,
    _state: Option<(A::Session, A::KeptShared)>,
    session: Option<Arc<SessionOf<A>>>,
    earlier: Option<Arc<Line>>,
    how: OpenedBy,
}

impl<A: Handlers> Kind<A> for Reopening<A> {
    type Lent<'c> = ReopeningLent<'c, A>;
    type Kept = ReopeningKept<A>;

    fn session_id(&self) -> Option<&SessionId> {
        Some(&self.id)
    }

    fn lend(&mut self) -> ReopeningLent<'_, A> {
        ReopeningLent { id: &self.id, active: self.session.as_deref(), replaying: self.replaying.as_ref() }
    }

    fn lent_id<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionId> {
        Some(lent.id)
    }

    fn active<'c>(lent: &<Self as Kind<A>>::Lent<'c>) -> Option<&'c SessionOf<A>> {
        lent.active
    }

    fn leave(self, _: CallContext<A>) -> ReopeningKept<A> {
        let Self { how, transition, turn, session, replaying, options, earlier, state, .. } = self;
        drop(replaying);
        ReopeningKept { _options: options, _turn: turn, transition, _state: state, session, earlier, how }
    }
}

impl<A: Handlers> Reopening<A> {
    /// Announces the call. From here on, no turn can begin in the session.
    pub(crate) fn announce(context: &CallContext<A>, id: &SessionId, by: Opening, roots: &Directories<'_>) -> Self {
        let mut own = PartsOfCall::<A>::default();
        A::Parts::asks(&mut own, roots);
        let (host, line) = (&context.connection.host, &context.connection.line);
        let transition = host.announce(id, false);
        let (is_load, directories) = (by == Opening::Load, roots.kept());
        let replaying = is_load.then(|| {
            let replaying = Replaying::begin(id.clone(), line.clone(), directories.clone());
            A::Parts::reopens(&mut own, replaying.output());
            #[cfg(feature = "v2")]
            if context.is_silent {
                replaying.output().mute();
            }
            replaying
        });
        let how = if is_load { OpenedBy::Loaded } else { OpenedBy::Resumed };
        Self {
            id: id.clone(),
            how,
            directories,
            transition,
            turn: None,
            session: None,
            replaying,
            options: None,
            earlier: None,
            state: None,
            own,
        }
    }

    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) fn how(&self) -> OpenedBy {
        self.how
    }

    /// Waits for the calls before this one. Returns whether one of them has opened the session for another client, which shares it.
    pub(in crate::agent) async fn is_shared_now(&mut self, context: &CallContext<A>) -> bool {
        self.turn = Some(self.transition.turn().await);
        let connection = &context.connection;
        connection.host.sessions.get(self.id.as_ref()).is_ok_and(|session| connection.may_follow(&session))
    }

    /// Waits for the calls before this one, and for the end of the session's turn.
    pub(crate) async fn ready(&mut self, context: &mut CallContext<A>) {
        if self.turn.is_none() {
            self.turn = Some(self.transition.turn().await);
        }
        let Ok(session) = context.connection.host.sessions.get(self.id.as_ref()) else { return };
        context.enter(&session);
        self.session = Some(session.clone());
        session.end_turn().await;
        if let Some(work) = A::Parts::passes(session.parts(), &session) {
            work.await;
        }
    }

    /// Opens the session, or gives the active one its new state.
    ///
    /// # Errors
    ///
    /// The options are not valid, or a hook refuses them.
    pub(crate) async fn open(&mut self, context: &CallContext<A>, opened: OpenedSessionOf<A>) -> Result<Box<RawValue>> {
        if let Some(session) = self.session.clone() {
            return self.renew(context, &session, opened).await;
        }
        let (session, additions) = self.make(context, opened)?;
        self.enter(context, session, &additions)
    }

    /// Gives the active session its new state.
    async fn renew(
        &mut self,
        context: &CallContext<A>,
        session: &Arc<SessionOf<A>>,
        opened: OpenedSessionOf<A>,
    ) -> Result<Box<RawValue>> {
        let OpenedSession { session: state, shared, id: _, config, additions } = opened;
        // If a cancellation arrived before the session was active, it could not reach the session.
        let followed = self.transition.is_before_an_end();
        let _closing = followed.then(|| Closing::begin(session.clone()));
        let kept = session.handle.keep_options(config);
        self.options = Some(match session.attachment() {
            Some(attachment) => attachment.reopening(&context.connection.line, &shared, kept).await?,
            None => kept.await?,
        });
        self.take_over(context);
        let answer = self.answer(&context.connection.line, session, &additions)?;
        session.handle.output().work_in(additions.place(&self.directories));
        A::Parts::reopens(&mut self.own, session.handle.output());
        let shared = match session.attachment() {
            Some(attachment) => attachment.replace_shared(shared),
            None => shared,
        };
        self.state = session.replace_state(state).map(|state| (state, shared));
        Ok(answer)
    }

    /// The active session speaks to the client of this call from here on. If the call fails, it speaks to the earlier one again.
    pub(in crate::agent) fn take_over(&mut self, context: &CallContext<A>) {
        if let (Some(session), None) = (&self.session, &self.earlier) {
            self.earlier = Some(session.handle.output().speak_to(&context.connection.line));
        }
    }

    /// Makes the session. Nobody knows it yet.
    pub(in crate::agent) fn make(
        &mut self,
        context: &CallContext<A>,
        opened: OpenedSessionOf<A>,
    ) -> Result<(Arc<SessionOf<A>>, Additions)> {
        let OpenedSession { session, shared, id: _, config, additions } = opened;
        let id = self.id.clone();
        let (connection, directories) = (&context.connection, additions.place(&self.directories));
        let session = start::session(connection, &mut self.own, id, session, shared, config, directories)?;
        Ok((session, additions))
    }

    /// The session that was made is active from here on.
    pub(in crate::agent) fn enter(
        &mut self,
        context: &CallContext<A>,
        session: Arc<SessionOf<A>>,
        additions: &Additions,
    ) -> Result<Box<RawValue>> {
        self.options = session.handle.options_in_force().hold();
        let answer = self.answer(&context.connection.line, &session, additions)?;
        context.connection.host.sessions.insert(session.clone());
        context.connection.has_opened(&session);
        self.session = Some(session);
        Ok(answer)
    }

    /// The dialect's messages about the session must follow the whole replay.
    fn answer(&mut self, line: &Line, session: &SessionOf<A>, additions: &Additions) -> Result<Box<RawValue>> {
        if let Some(replaying) = self.replaying.take() {
            replaying.continue_in(session.handle.output());
        }
        let by = if self.how == OpenedBy::Loaded { Opening::Load } else { Opening::Resume };
        session.handle.opened(line, by, additions)
    }
}

impl<A: Handlers> ReopeningKept<A> {
    /// Answers the call. Turns of the session are admitted again with the answer, because the client may prompt it as soon as it
    /// gets the answer.
    pub(crate) fn respond(
        mut self,
        connection: &Arc<Connection<A>>,
        responder: Option<Responder>,
        response: Result<Box<RawValue>>,
    ) {
        let is_open = response.is_ok();
        if let (false, Some(session), Some(earlier)) = (is_open, &self.session, &self.earlier) {
            session.handle.output().speak_to(earlier);
        }
        if let Some(responder) = responder {
            responder.respond_and(response, &mut || self.transition.conclude());
        }
        if let (true, Some(session)) = (is_open, &self.session) {
            connection.tell_opened(session, self.how);
        }
    }
}
