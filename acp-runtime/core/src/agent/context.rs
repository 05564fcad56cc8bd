//! The state of one call while it runs: its session, its turn and its client.

mod kept;
mod life;
mod stored;
mod waiting;

use std::{
    any::Any,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::value::RawValue;

use super::{
    commands,
    connection::Connection,
    contract::{Attachment, Handlers, Keeps, KeptAgent, LentAgent, OpenedSession},
};
use crate::{
    client::line::Line,
    dialect::Opening,
    rpc::{CancellationToken, Responder},
    session::{
        Apart, ClosedSession, Closing, Ended, Ending, Place, Replaying, Session, SessionHandle, SessionOutput,
        TurnSlot, book::Book, table::Transition,
    },
    values::{PromptRequest, SessionId},
    wire::{Error, Result},
};

pub(super) use kept::Kept;
pub(crate) use life::{Begun, Life, has_life};
pub use stored::Roots;
pub(crate) use stored::{Found, Restoring, restored_state};
pub(in crate::agent) use stored::{end_dropped_turn, keep_options};
pub(crate) use waiting::{PlaceInLine, Steerable};

/// The state of one call. Only the runtime can make one.
pub struct CallContext<A: Handlers> {
    connection: Arc<Connection<A>>,
    /// The handler's `&self`; set once the call is admitted.
    receiver: KeptAgent<A>,
    pub(crate) session_id: Option<SessionId>,
    session: Option<Arc<Session<A::Config, A::Session>>>,
    ending: Option<Ending<A::Config, A::Session>>,
    /// Only set for a call that opens or ends a session.
    transition: Option<Box<Transition<A::Config, A::Session>>>,
    /// The values that live until the call is answered.
    kept: Kept<A>,
    /// Most calls have no such part.
    asked: Option<Box<Asked>>,
    /// Only set for `session/load`. It is dropped before the answer.
    pub(crate) replaying: Option<Replaying>,
    pub(crate) cancel: CancellationToken,
}

/// The parts of a request that are needed beside its handler.
#[derive(Default)]
pub(crate) struct Asked {
    /// Only for `session/list`: the one working directory whose sessions are wanted. And for an agent that is lenient about
    /// relative paths: the working directory of the session that the call opens.
    pub(crate) cwd: Option<PathBuf>,
    /// Only for an agent with a store.
    stored: Option<Arc<dyn Any + Send + Sync>>,
    /// Only for a turn that may take prompts in: set when its handler gets the call.
    lent: Option<CancellationToken>,
}

/// The parts of a call that its handler's parameters borrow.
pub(crate) struct LentContext<'c, A: Handlers> {
    pub(crate) receiver: LentAgent<'c, A>,
    pub(crate) line: &'c Arc<Line>,
    pub(crate) session_id: Option<&'c SessionId>,
    pub(crate) handle: Option<&'c SessionHandle<A::Config>>,
    pub(crate) state: Option<&'c mut A::Session>,
    pub(crate) ended: Option<ClosedSession<A::Session>>,
    pub(crate) replaying: Option<&'c Replaying>,
    pub(crate) cancel: &'c CancellationToken,
}

impl<A: Handlers> CallContext<A> {
    pub(crate) fn new(connection: Arc<Connection<A>>) -> Self {
        Self {
            receiver: connection.agent.clone(),
            connection,
            session_id: None,
            session: None,
            ending: None,
            transition: None,
            kept: Kept {
                slot: None,
                options: None,
                turn: None,
                transition: None,
                state: None,
                ending: None,
                session: None,
            },
            asked: None,
            replaying: None,
            cancel: CancellationToken::new(),
        }
    }

    pub(crate) fn connection(&self) -> &Arc<Connection<A>> {
        &self.connection
    }

    pub(crate) fn is_turn(&self) -> bool {
        self.kept.slot.is_some()
    }

    /// Makes the id of a session that the client cannot name yet.
    pub(crate) fn name_session(&mut self) {
        self.session_id = Some(fresh_id());
    }

    /// Assigns the call to an active session. From then on, `&self` has the session's options.
    pub(crate) fn enter_session(&mut self, id: &SessionId) -> Result<()> {
        let session = self.connection.sessions.get(id.as_ref())?;
        self.enter(id, session);
        Ok(())
    }

    fn enter(&mut self, id: &SessionId, session: Arc<Session<A::Config, A::Session>>) {
        self.receiver = A::receiver::<A::Threading>(&self.connection.agent, &session.handle.config());
        self.session_id = Some(id.clone());
        self.session = Some(session);
    }

    /// Makes the call the turn of an active session. If the session has another turn, the call is refused, or it waits.
    pub(crate) fn begin_turn(&mut self, id: &SessionId, steerable: Steerable) -> Result<()> {
        if const { A::IDENTITY.queues() } {
            return self.begin_turn_or_wait(id, steerable);
        }
        let turn = self.connection.sessions.begin_turn(id, &self.cancel)?;
        self.enter(id, turn.session().clone());
        self.kept.slot = Some(turn);
        Ok(())
    }

    /// Announces that the call opens or ends a session. The session need not be active.
    pub(crate) fn announce(&mut self, id: &SessionId, ends: bool) {
        self.session_id = Some(id.clone());
        self.transition = Some(Box::new(self.connection.sessions.announce(id, ends)));
        self.cancel_waiting(id);
    }

    /// Announces that the call ends a session that is active or is being opened.
    pub(crate) fn announce_known(&mut self, id: &SessionId) -> Result<()> {
        self.session_id = Some(id.clone());
        if !self.connection.sessions.is_known(id) {
            return Err(self.unknown_session());
        }
        self.announce(id, true);
        Ok(())
    }

    /// Begins to load the session. First waits for the earlier calls and for the end of the session's turn, which is
    /// cancelled.
    pub(crate) async fn begin_opening(&mut self) {
        if let Some(session) = self.passed().await {
            let id = session.handle.id().clone();
            self.enter(&id, session.clone());
            session.end_turn().await;
            if const { A::IDENTITY.queues() } {
                self.none_waits(&session).await;
            }
        }
    }

    /// Notes the working directory of the session that the call opens, if the agent needs it.
    pub(crate) fn open_in(&mut self, cwd: &Path) {
        if const { A::IDENTITY.resolves_paths() } {
            self.asked().cwd = Some(cwd.to_owned());
        }
    }

    /// The parts of the request that are needed beside its handler.
    pub(crate) fn asked(&mut self) -> &mut Asked {
        self.asked.get_or_insert_default()
    }

    /// The working directory that the request names, if it was noted.
    pub(crate) fn cwd(&self) -> Option<&Path> {
        self.asked.as_ref()?.cwd.as_deref()
    }

    fn work_in_cwd(&self, output: &SessionOutput) {
        if const { A::IDENTITY.resolves_paths() }
            && let Some(cwd) = self.cwd()
        {
            output.work_in(cwd);
        }
    }

    /// Begins to end the session. First waits for the earlier calls and for the end of the session's turn, which is
    /// cancelled. Returns whether there is a session to end.
    pub(crate) async fn begin_ending(&mut self) -> bool {
        // The turn is cancelled before this function waits. Otherwise an earlier call or the turn could wait for a
        // change that waits for the client.
        let now = self.session_id.as_ref().and_then(|id| self.connection.sessions.get(id.as_ref()).ok());
        let _closing = now.map(Closing::begin);
        let Some(session) = self.passed().await else { return false };
        let id = session.handle.id().clone();
        self.ending = Some(Ending::begin(session.clone()).await);
        if const { A::IDENTITY.queues() } {
            self.none_waits(&session).await;
        }
        self.enter(&id, session);
        true
    }

    /// Waits for the earlier calls that open or end the session. After that, returns the session if it is active.
    async fn passed(&mut self) -> Option<Arc<Session<A::Config, A::Session>>> {
        let transition = self.transition.as_ref()?;
        self.kept.turn = Some(transition.turn().await);
        self.connection.sessions.get(self.session_id.as_ref()?.as_ref()).ok()
    }

    /// The error of a call whose session is not active.
    pub(crate) fn unknown_session(&self) -> Error {
        Error::session_not_found(self.session_id.as_ref().map_or("", AsRef::as_ref))
    }

    /// Ends the session.
    pub(crate) fn end_session(&mut self) {
        self.kept.ending = self.ending.take();
        if let Some(session) = &self.session
            && !self.connection.end(session)
        {
            self.ended_before();
        }
    }

    /// Whether this call has ended its session.
    pub(crate) fn has_ended(&self) -> bool {
        self.kept.ending.is_some()
    }

    /// Makes the session active again because its ending handler failed. If the handler has taken the state, the
    /// session ends.
    pub(crate) fn keep_session(&mut self, end: Ended) {
        let Some(ending) = &self.ending else { return };
        let connection = self.connection.clone();
        if ending.undo(move |session| connection.end_late(session, end)) {
            self.ending = None;
        } else {
            self.end_session();
        }
    }

    /// Releases the call's state, and returns the values that must live until the answer. Values of the author are
    /// among these and are dropped last: if such a drop panics, all other values are already released.
    pub(crate) fn leave(self) -> Kept<A> {
        let Self { mut kept, session, ending, transition, replaying, .. } = self;
        drop(replaying);
        kept.transition = transition;
        kept.ending = kept.ending.or(ending);
        kept.session = session;
        kept
    }

    /// Opens a session that the client did not name.
    pub(crate) fn open_new(
        &mut self,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
    ) -> Result<Box<RawValue>> {
        let OpenedSession { session, shared, id, config, meta } = opened;
        let id = id.or_else(|| self.session_id.take()).unwrap_or_else(fresh_id);
        let session = self.start(id, session, shared, config, None)?;
        let opened = session.handle.opened(Opening::New, meta.as_ref())?;
        self.connection.sessions.insert_new(session.clone())?;
        self.opened(session);
        Ok(opened)
    }

    /// Opens the session that the client named. If the session is already active, it gets the new state and keeps its
    /// options.
    pub(crate) async fn open_named(
        &mut self,
        by: Opening,
        opened: OpenedSession<A::Session, A::Config, A::KeptShared>,
        book: Option<Arc<Book>>,
    ) -> Result<Box<RawValue>> {
        let OpenedSession { session: state, shared, id: _, config, meta } = opened;
        if let Some(session) = &self.session {
            // If a cancellation arrived before the session was active, it could not reach the session.
            let followed = self.transition.as_ref().is_some_and(|transition| transition.is_before_an_end());
            let _closing = followed.then(|| Closing::begin(session.clone()));
            let kept = session.handle.keep_options(config);
            self.kept.options = Some(Attachment::<A>::reopening(&session.handle, &shared, kept).await?);
            // The dialect's messages about the session must follow the whole replay.
            if let Some(replaying) = self.replaying.take() {
                replaying.continue_in(session.handle.output());
            }
            let opened = session.handle.opened(by, meta.as_ref())?;
            self.work_in_cwd(session.handle.output());
            let shared = Attachment::<A>::replace_shared(&session.handle, shared);
            self.kept.state = session.replace_state(state).map(|state| (state, shared));
            return Ok(opened);
        }
        let id = self.session_id.clone().ok_or_else(|| Error::internal_error("the session to open has no id"))?;
        let session = self.start(id, state, shared, config, book)?;
        self.kept.options = session.handle.options_in_force().hold();
        if let Some(replaying) = self.replaying.take() {
            replaying.continue_in(session.handle.output());
        }
        let opened = session.handle.opened(by, meta.as_ref())?;
        self.connection.sessions.insert(session.clone());
        self.opened(session);
        Ok(opened)
    }

    fn start(
        &self,
        id: SessionId,
        state: A::Session,
        shared: A::KeptShared,
        config: Option<A::Config>,
        book: Option<Arc<Book>>,
    ) -> Result<Arc<Session<A::Config, A::Session>>> {
        let Connection { agent, line, .. } = &*self.connection;
        let config = config.unwrap_or_else(|| A::Threading::lend(agent).initial_config());
        let hooked = Attachment::<A>::of(agent, line, &id, shared);
        let session = Session::new(SessionHandle::new(id, config, hooked, line.clone(), Self::apart(book))?, state);
        Attachment::<A>::enter(&session.handle);
        self.work_in_cwd(session.handle.output());
        if const { A::STORE.is_some() } {
            stored::belongs_to::<A>(&session);
        }
        Ok(session)
    }

    /// The parts that only the sessions of some agents have.
    fn apart(book: Option<Arc<Book>>) -> Place {
        if const { !commands::has_some::<A>() && A::STORE.is_none() } {
            return None;
        }
        let mut apart = Apart::new();
        if const { commands::has_some::<A>() } {
            apart = apart.offering(A::COMMANDS);
        }
        if const { A::STORE.is_some() }
            && let Some(book) = book
        {
            apart = apart.recorded_by(book);
        }
        Some(Box::new(apart))
    }

    /// Marks the start of the turn, or of the wait for it. Returns the responder if the turn's end must still answer it.
    pub(crate) fn turn_began(&self, prompt: &PromptRequest, responder: Responder) -> Option<Responder> {
        let Some(session) = &self.session else { return Some(responder) };
        if const { A::IDENTITY.queues() } && self.is_waiting() {
            return self.accepted(prompt, responder);
        }
        self.connection.line.dialect().turn_began(session.handle.output(), prompt, Some(responder))
    }

    pub(crate) fn lend(&mut self) -> LentContext<'_, A> {
        LentContext {
            receiver: A::Threading::lend(&self.receiver),
            line: &self.connection.line,
            session_id: self.session_id.as_ref(),
            handle: self.session.as_ref().map(|session| &session.handle),
            state: self.kept.slot.as_mut().and_then(TurnSlot::state),
            ended: self.ending.as_ref().and_then(Ending::lend),
            replaying: self.replaying.as_ref(),
            cancel: &self.cancel,
        }
    }

    /// From here on, the handler may replay the session's history.
    pub(crate) fn begin_replay(&mut self, id: &SessionId) {
        let replaying = Replaying::begin(id.clone(), self.connection.line.clone());
        self.work_in_cwd(replaying.output());
        self.replaying = Some(replaying);
    }
}

fn fresh_id() -> SessionId {
    SessionId::from(format!("sess_{}", uuid::Uuid::now_v7().simple()))
}
