//! The session that a handler has opened.

use std::path::PathBuf;

use serde_json::Value;

use crate::{
    agent::declaration::{AgentDeclaration, Unshared},
    config::members::written,
    schema::Member,
    session::Additions,
    values::{self, SessionId},
};

/// A session that a handler opened, with more parts than its state.
///
/// `new_session`, `load_session`, `resume_session` and `restore_session` may return the session's state alone. This type adds the
/// session's id, the options that were restored with the session, and members of the answer.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// # #[derive(ConfigOptions, Clone)]
/// # struct Config { #[config_option(default = false)] brave: bool }
/// # struct Session { history: Vec<String> }
/// # fn stored(id: &SessionId) -> Result<(Vec<String>, Config)> { Err(Error::session_not_found(id.as_ref())) }
/// # #[acp_agent(config = Config, session = Session)]
/// # struct Coder;
/// #[acp_agent]
/// impl Coder {
///     async fn new_session(&self) -> OpenedSession<Session, Config> {
///         OpenedSession::new(Session { history: vec![] }).id("2026-11-20-a")
///     }
///
///     async fn load_session(&self, id: &SessionId) -> Result<OpenedSession<Session, Config>> {
///         let (history, config) = stored(id)?;
///         Ok(OpenedSession::new(Session { history }).config(config))
///     }
/// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
/// }
/// ```
#[must_use]
#[derive(Debug)]
pub struct OpenedSession<S, C, H = Unshared> {
    pub(crate) session: S,
    pub(crate) shared: H,
    pub(crate) id: Option<SessionId>,
    pub(crate) config: Option<C>,
    pub(crate) additions: Additions,
}

impl<S, C> OpenedSession<S, C> {
    /// A session with this state, the default options and an id that the runtime makes. If `shared = ..` on the struct names
    /// a type, the shared part is its default.
    pub fn new(session: S) -> Self {
        Self { session, shared: Unshared, id: None, config: None, additions: Additions::default() }
    }
}

impl<S, C, H> OpenedSession<S, C, H> {
    /// The part of the session that its handlers share, of the type that `shared = ..` names on the struct. See
    /// [`Shared`](super::Shared).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use acp_runtime::prelude::*;
    ///
    /// struct Session { history: Vec<String> }
    ///
    /// #[acp_agent(session = Session, shared = Arc<str>)]
    /// #[derive(Clone)]
    /// struct Coder;
    ///
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn new_session(&self, request: NewSessionRequest) -> OpenedSession<Session, Self, Arc<str>> {
    ///         let folder = request.cwd.to_string_lossy().into();
    ///         OpenedSession::new(Session { history: vec![] }).shared(folder).id("2026-11-20-a")
    ///     }
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    /// }
    /// # let _ = Coder;
    /// ```
    pub fn shared<T>(self, shared: T) -> OpenedSession<S, C, T> {
        let Self { session, shared: _, id, config, additions } = self;
        OpenedSession { session, shared, id, config, additions }
    }

    /// The session's id. Only `new_session` chooses an id; the other handlers get the id from the client.
    pub fn id(mut self, id: impl Into<SessionId>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The options to start with, for example the stored ones.
    ///
    /// If the session is already active, it keeps its options, because they are newer. For each option that has another
    /// value in this config, the `#[on_change]` function runs. Its old value is the one in this config, and its new
    /// value is the one in force.
    pub fn config(mut self, config: C) -> Self {
        self.config = Some(config);
        self
    }

    /// The `_meta` of the answer.
    pub fn meta(mut self, meta: values::Meta) -> Self {
        self.additions.meta = Some(meta);
        self
    }

    /// A member of the answer that the schema lacks: for clients that read it. A member of the options' struct is true at every
    /// time, also when an active session is opened again: see `members` in the [reference](crate::config). This one is as the
    /// handler says.
    ///
    /// ```
    /// use acp_runtime::{prelude::*, schema::Member};
    ///
    /// /// How many tokens are left to the account.
    /// const BUDGET: Member = Member::new("budget");
    ///
    /// # #[acp_agent]
    /// # #[derive(Clone)]
    /// # struct Coder;
    /// #[acp_agent]
    /// impl Coder {
    ///     async fn new_session(&self) -> OpenedSession<(), Self> {
    ///         OpenedSession::new(()).member(BUDGET, 10_000)
    ///     }
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    /// }
    /// # let _ = Coder;
    /// ```
    pub fn member(mut self, member: Member, value: impl Into<Value>) -> Self {
        self.additions.members.push((member, written(&value.into())));
        self
    }

    /// Where the session works, as an absolute path, if the agent knows it better than the request: a session that is
    /// [opened on demand](super#sessions-on-demand), or by a method of your own. [`SessionHandle::cwd`](crate::session::SessionHandle::cwd)
    /// returns it, and `lenient(paths)` uses it. A store keeps the directory of the request.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.additions.cwd = Some(cwd.into().into());
        self
    }

    /// A member of each update of the session that the schema lacks. See
    /// [`SessionHandle::add_to_updates`](crate::session::SessionHandle::add_to_updates), which changes it later.
    pub fn in_updates(mut self, member: Member, value: impl Into<Value>) -> Self {
        self.additions.in_updates.push((member, written(&value.into())));
        self
    }

    /// The session as its connection takes it.
    pub(crate) fn keep_shared<A: AgentDeclaration<Shared = H>>(self) -> OpenedSession<S, C, A::KeptShared> {
        let Self { session, shared, id, config, additions } = self;
        OpenedSession { session, shared: A::keep_shared(shared), id, config, additions }
    }
}
