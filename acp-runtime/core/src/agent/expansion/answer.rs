//! Converts a handler's return value to the answer for the client.

use std::marker::PhantomData;

use super::{declaration::Handlers, heard::heard, shared::Unshared};
use crate::{
    agent::methods::Handled,
    values::{self, SessionId},
    wire::{Error, Result},
};

/// A session that a handler opened, with more parts than its state.
///
/// `new_session`, `load_session`, `resume_session` and `restore_session` may return the session's state alone. This type adds the
/// session's id, the options that were restored with the session, and the `_meta` of the answer.
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
    pub(crate) meta: Option<values::Meta>,
}

impl<S, C> OpenedSession<S, C> {
    /// A session with this state, the default options and an id that the runtime makes. If `shared = ..` on the struct names
    /// a type, the shared part is its default.
    pub fn new(session: S) -> Self {
        Self { session, shared: Unshared, id: None, config: None, meta: None }
    }
}

impl<S, C, H> OpenedSession<S, C, H> {
    /// The part of the session that its handlers share, of the type that `shared = ..` names on the struct. See
    /// [`State`](super::State).
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
        let Self { session, shared: _, id, config, meta } = self;
        OpenedSession { session, shared, id, config, meta }
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
        self.meta = Some(meta);
        self
    }
}

/// The types that a handler of the method `M` may answer.
///
/// `Shape` separates conversions that the compiler could not tell apart; the compiler infers it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer to `{M}`",
    label = "not an answer of this method",
    note = "`initialize` answers `Initialized` or `()`, `prompt` and commands `StopReason` or `PromptResponse`, `steer` `Steered`\n`new_session` answers `Session`, `(SessionId, Session)` or `OpenedSession`; `load_session`, `resume_session` and `restore_session` answer `Session` or `OpenedSession`; with `shared = Shared` on the struct, all of these also `(Session, Shared)`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says)\nnotifications, `session_opened` and `session_ended` answer `()`, the other methods `()` or their `..Response`",
    note = "`Session` is the type that `#[acp_agent(session = ..)]` names on the struct"
)]
pub trait IntoAnswer<M: Handled<A>, A: Handlers, Shape> {
    /// The answer as the runtime represents it.
    fn answer(self) -> Result<M::Answer>;
}

/// The types that a handler of the method `M` may return: an answer, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what this handler returns",
    label = "expected an answer of this method, or a `Result` of one",
    note = "`initialize` answers `Initialized` or `()`, `prompt` and commands `StopReason` or `PromptResponse`, `steer` `Steered`\n`new_session` answers `Session`, `(SessionId, Session)` or `OpenedSession`; `load_session`, `resume_session` and `restore_session` answer `Session` or `OpenedSession`; with `shared = Shared` on the struct, all of these also `(Session, Shared)`\nan extension answers a type that derives `serde::Serialize` (of `#[ext(methods::Name)]` what the schema says)\nnotifications, `session_opened` and `session_ended` answer `()`, the other methods `()` or their `..Response`",
    note = "`Session` is the type that `#[acp_agent(session = ..)]` names on the struct"
)]
pub trait IntoHandlerResult<M: Handled<A>, A: Handlers, Shape> {
    /// The result of the handler of this name, as the runtime represents it. Tells the subscriber of an error.
    fn finish(self, handler: &str) -> Result<M::Answer>;
}

/// The error of a handler: any type that converts into [`Error`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a handler",
    label = "does not convert into `acp_runtime::Error`",
    note = "help: return `acp_runtime::Error`, made by `Error::internal_error(text)` or its like; an error type of your own converts after `impl From<YourError> for acp_runtime::Error`",
    note = "`std::io::Error`, `serde_json::Error` and, with the feature `anyhow`, `anyhow::Error` convert as they are"
)]
pub trait IntoHandlerError {
    /// The error that answers the request.
    fn into_error(self) -> Error;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Error>> IntoHandlerError for E {
    fn into_error(self) -> Error {
        self.into()
    }
}

/// Marks a handler that returns a `Result`.
pub struct Fallible<Shape>(PhantomData<Shape>);
/// Marks a handler that returns the answer itself.
pub struct Plain<Shape>(PhantomData<Shape>);

impl<M: Handled<A>, A: Handlers, Shape, T: IntoAnswer<M, A, Shape>, E: IntoHandlerError>
    IntoHandlerResult<M, A, Fallible<Shape>> for std::result::Result<T, E>
{
    fn finish(self, handler: &str) -> Result<M::Answer> {
        match self {
            Ok(answer) => answer.answer(),
            Err(error) => Err(heard(handler, error.into_error())),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Handled<A>, A: Handlers, Shape, T: IntoAnswer<M, A, Shape>> IntoHandlerResult<M, A, Plain<Shape>> for T {
    fn finish(self, _: &str) -> Result<M::Answer> {
        self.answer()
    }
}

/// Marks a value that already is the answer.
pub struct Itself;
/// Marks a value that is a short form of the answer.
pub struct Short;

/// Marks a session together with its id.
pub struct WithId;
