//! The two halves of an agent, which the macros implement.

use std::sync::Arc;

use super::{
    hook::Hook,
    identity::AgentInfo,
    on_thread::OnThread,
    shared::KeptShared,
    threading::{Keeps, Threading},
};
use crate::{
    agent::{
        call::{Admitted, Call, Route, SessionEvent},
        methods::handlers,
        parts::{Part, store::StoreDeclaration},
    },
    config::ConfigOptions,
    schema::{Method, MethodKind, Side},
    session::DeclaredCommand,
};

/// The struct half of `#[acp_agent]`: the agent's identity and the types of its sessions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: its struct lacks `#[acp_agent]`",
    label = "the struct of this type is not marked",
    note = "help: put `#[acp_agent]` on `struct {Self}`, above its fields"
)]
// Not `Sized`: in the impl of an agent with a mistake, the compiler would take all types for that.
pub trait AgentDeclaration: 'static {
    /// The config options of a session: a struct of options, or the agent itself (small form).
    type Config: ConfigOptions;
    /// The state that a session keeps between turns; `()` unless `session = ..` names a type.
    type Session: Send + 'static;
    /// Whether the handlers' futures may move between threads: [`Shared`](super::Shared) if they may, else
    /// [`Local`](super::Local).
    type Threads: Threading;

    /// The part of a session that its handlers share; `()` unless `shared = ..` names a type.
    type Shared: Clone + 'static;
    /// The shared part as a session keeps it.
    #[doc(hidden)]
    type KeptShared: KeptShared<Self::Shared>;

    /// The parts that the keys of the struct ask for, as a list.
    #[doc(hidden)]
    type DeclaredParts;

    /// The agent, or an error if its struct has a mistake that was reported.
    type Sound;

    /// The agent's part of `initialize`, besides the capabilities that its handlers imply.
    const IDENTITY: AgentInfo;

    /// The store that keeps the sessions; `None` unless `store = ..` names a field.
    #[doc(hidden)]
    const STORE: Option<StoreDeclaration<Self>> = None;
    /// Whether the store has a mistake that was reported.
    #[doc(hidden)]
    const MEANS_STORE: bool = false;

    /// Makes the shared part of a session whose handler gives none.
    #[doc(hidden)]
    const DEFAULT_SHARED: Option<fn() -> Self::Shared> = None;

    /// The shared part as a session keeps it. The agents that declare `local` say whether threads can share it.
    #[doc(hidden)]
    fn keep_shared(shared: Self::Shared) -> Self::KeptShared {
        Self::KeptShared::keep(shared)
    }

    /// The options with which a new session starts.
    fn initial_config(&self) -> Self::Config {
        Self::Config::initial()
            .expect("a config that `config =` names has options alone, which the compiler has checked (`options_of`)")
    }

    /// The `&self` of a session's handlers: the agent. In the small form, the session's options.
    fn receiver<T: Keeps<Self>>(agent: &T::Kept, config: &Arc<Self::Config>) -> T::Kept
    where
        Self: Sized,
    {
        let _ = config;
        agent.clone()
    }

    /// The agent as a connection on one thread keeps it. The agents that declare `local` say whether threads can share them.
    fn keep_local(self) -> OnThread<Self>
    where
        Self: Sized,
    {
        OnThread::own(self)
    }
}

/// A type with both halves of `#[acp_agent]`: an agent with its handlers. Use it as the bound of code that is generic
/// over agents.
///
/// The macro implements this trait. `A::Config`, `A::Session` and `A::Shared` of an agent `A` are the types that
/// `config =`, `session =` and `shared =` name on the struct. To serve the agent, call the functions of [`Serve`](crate::agent::Serve).
///
/// ```
/// use acp_runtime::agent::{Handlers, Serve};
/// use acp_runtime::transport::{ByteStream, Limits};
///
/// /// Serves an agent to one client after the other.
/// async fn listen<A: Handlers + Clone>(agent: A, listener: tokio::net::TcpListener) -> std::io::Result<()> {
///     loop {
///         let (reader, writer) = listener.accept().await?.0.into_split();
///         if let Err(error) = agent.clone().serve(ByteStream::new(reader, writer), Limits::default()).await {
///             eprintln!("a connection failed: {error}");
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: it has no handlers",
    label = "no `#[acp_agent] impl` block for this struct",
    note = "help: add `#[acp_agent] impl {Self} {{ async fn prompt(&self, request: PromptRequest, turn: Turn<..>) -> Result<StopReason> {{ .. }} }}`"
)]
pub trait Handlers: OneBlockWithoutPart {}

impl<A: OneBlockWithoutPart> Handlers for A {}

/// The handlers of an agent, as the block without `part = ..` implements them. If an agent has two such blocks, the compiler's
/// error has the name of this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no agent yet: it has no handlers",
    label = "no `#[acp_agent] impl` block for this struct",
    note = "help: add `#[acp_agent] impl {Self} {{ async fn prompt(&self, request: PromptRequest, turn: Turn<..>) -> Result<StopReason> {{ .. }} }}`"
)]
pub trait OneBlockWithoutPart: AgentDeclaration + Sized {
    /// The threading of the agent: any thread may serve it, or one thread only. The type of
    /// [`Serving`](crate::agent::Serving) depends on it.
    // The struct half declares the threading. This trait repeats it, so that an agent without a struct half is one
    // error. The call that serves the agent would be a second one.
    type Threading: Keeps<Self>;

    /// The parts of the agent, as a list: those of its functions, and those of its struct.
    #[doc(hidden)]
    type Parts: Part<Self>;
    /// The wire names of the methods that have a handler.
    #[doc(hidden)]
    const METHODS: &'static [&'static str];
    /// The extension methods that have a handler.
    #[doc(hidden)]
    const EXTENSIONS: &'static [Extension] = &[];
    /// The handlers of methods by prefix.
    #[doc(hidden)]
    const ROUTES: &'static [Route] = &[];
    /// The functions with `#[command]`.
    #[doc(hidden)]
    const COMMANDS: &'static [DeclaredCommand] = &[];
    /// The functions that run when an option changes.
    #[doc(hidden)]
    const HOOKS: &'static [&'static dyn Hook<Self>] = &[];
    /// The names of the functions that run for every change. An agent may have one.
    #[doc(hidden)]
    const FOR_EVERY_CHANGE: &'static [&'static str] = &[];
    /// The way in which a session starts without a `new_session` handler.
    #[doc(hidden)]
    const NEW_SESSION: Option<fn() -> Self::Session> = None;
    /// Runs when a session was opened.
    #[doc(hidden)]
    const SESSION_OPENED: Option<fn(SessionEvent<Self, handlers::session_opened>)> = None;
    /// Runs when a session has ended.
    #[doc(hidden)]
    const SESSION_ENDED: Option<fn(SessionEvent<Self, handlers::session_ended>)> = None;
    /// Runs when a prompt arrives during a turn.
    #[doc(hidden)]
    const STEER: Option<fn(SessionEvent<Self, handlers::steer>)> = None;
    /// Runs when a session of the store is opened again.
    #[doc(hidden)]
    const RESTORE_SESSION: Option<fn(Admitted<'_, Self, handlers::restore_session>)> = None;
    /// [`complete`](super::complete) reads this constant, so that `cargo check` evaluates it.
    #[doc(hidden)]
    const CHECKED: () = ();
    /// Whether all handlers are known. If some handlers had errors, the checks cannot know which handlers are missing.
    #[doc(hidden)]
    const SOUND: bool = true;

    /// Hands a call to its handler.
    #[doc(hidden)]
    fn call(call: Call<'_, Self>);
}

/// A method of the agent that the schema does not know. The name of an extension method begins with `_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extension {
    /// The name on the wire, such as `_acme.dev/stats`.
    pub name: &'static str,
    /// Whether the method is answered.
    pub kind: ExtensionKind,
    /// The handler's doc comment.
    pub description: &'static str,
}

/// Whether an extension method is a request or a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtensionKind {
    /// The method has an id and is answered.
    Request,
    /// The method is never answered.
    Notification,
}

impl Extension {
    /// An extension request.
    pub const fn request(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ExtensionKind::Request, description }
    }

    /// An extension notification.
    pub const fn notification(name: &'static str, description: &'static str) -> Self {
        Self { name, kind: ExtensionKind::Notification, description }
    }

    /// The extension method of the marker `M`. Fails to compile when `M` is a method of the client or of the protocol
    /// itself.
    pub const fn of<M: Method>(description: &'static str) -> Self {
        if !matches!(M::SIDE, Side::Agent | Side::Protocol) {
            panic!("this is no method that an agent handles: its side in the schema is another one");
        }
        if !matches!(M::NAME.as_bytes(), [b'_', _, ..]) {
            panic!(
                "this is no extension method: its name in the schema does not begin with `_`
help: methods of the protocol are handled by functions of their names, without `#[ext]`"
            );
        }
        if holds_unseen(M::NAME.as_bytes()) {
            panic!("the name of an extension method holds no blanks and no control characters: mend it in the schema");
        }
        match M::KIND {
            MethodKind::Request => Self::request(M::NAME, description),
            MethodKind::Notification => Self::notification(M::NAME, description),
        }
    }
}

/// Compiles for the marker of a method. The expansion calls this function for the length of an array.
pub const fn is_method<M: Method>() -> usize {
    0
}

const fn holds_unseen(name: &[u8]) -> bool {
    let mut i = 0;
    while i < name.len() {
        if name[i].is_ascii_whitespace() || name[i].is_ascii_control() {
            return true;
        }
        i += 1;
    }
    false
}

/// A session type that needs no `new_session` handler.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no default, and there is no `new_session` handler to make one",
    label = "sessions of this type cannot be started",
    note = "help: add `async fn new_session(&self, request: NewSessionRequest) -> Result<{Self}>`, or `#[derive(Default)]` on the type"
)]
pub trait DefaultSession {
    /// Makes a fresh session.
    fn default_session() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> DefaultSession for T {
    fn default_session() -> Self {
        T::default()
    }
}
