//! The parameters of handlers. The compiler finds each by its type, so they may stand in any order.

use super::slot;
use crate::{
    agent::{
        call::{Handled, OfSession, Parts, absent},
        model::Handlers,
    },
    client::Client,
    config::ConfigOptions,
    session::SessionHandle,
    transport::Context,
    values::{self, SessionId},
    wire::{Error, Result},
};

/// A type that a handler may take as a parameter: an extractor.
///
/// The protocol's requests, [`Client`], [`Turn`](crate::session::Turn) and similar types implement it for the handlers
/// in the [guide's table](../guide/handlers/index.html#handlers). Implement it for a type of your own if many handlers need the same
/// data. `M` is the handler's [method](crate::agent::handlers), and `A` is the agent. If you write bounds instead of
/// concrete types, any handler of any agent may take the type:
///
/// ```
/// use acp_runtime::{agent::{FromCall, Handled, Handlers, Parts}, prelude::*};
///
/// /// The trace that the client put into `_meta`.
/// struct Trace(Option<String>);
///
/// impl<'c, M: Handled<A>, A: Handlers> FromCall<'c, M, A> for Trace {
///     fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
///         let meta = parts.meta();
///         Ok(Self(meta.and_then(|meta| Some(meta.get("traceparent")?.as_str()?.to_owned()))))
///     }
/// }
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Traced;
///
/// #[acp_agent]
/// impl Traced {
///     async fn prompt(&self, trace: Trace, turn: Turn<Self>) -> Result<StopReason> {
///         turn.message(trace.0.unwrap_or_else(|| "not traced".to_owned())).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
/// ```
///
/// # A struct of parameters
///
/// Handlers that repeat the same parameters take them as one: the derive of the same name makes a struct a parameter, if its
/// fields are parameters. A handler takes it wherever its call has them all, in any order and beside others. A struct may be a
/// field of another one. A field that the call does not have is an error of the compiler, which points at the field.
///
/// ```
/// use acp_runtime::{FromCall, prelude::*};
///
/// #[derive(Default)]
/// struct Session { notes: Vec<String> }
///
/// #[derive(FromCall)]
/// struct Ask<'c> {
///     session: &'c mut Session,
///     turn: Turn<Coder>,
/// }
///
/// #[acp_agent(session = Session)]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn prompt(&self, request: PromptRequest, Ask { session, turn }: Ask<'_>) -> Result<StopReason> {
///         session.notes.push(request.text());
///         turn.message("Noted.").await?;
///         Ok(StopReason::EndTurn)
///     }
///
///     /// Forget the notes
///     #[command]
///     async fn clear(&self, ask: Ask<'_>) -> Result<StopReason> {
///         ask.session.notes.clear();
///         ask.turn.message("Forgotten.").await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
/// # let _ = Coder;
/// ```
///
/// The struct has named fields. It has a lifetime, that of the call, if it holds `&'c mut Session` or `&'c SessionId`, and no
/// other generics: its fields name the types of one agent. Two fields cannot take the same part of the call, as two parameters
/// cannot. This is the only key in `#[from_call(..)]` on the struct:
///
/// | key | type | left out | effect |
/// |---|---|---|---|
/// | `crate = path` | path | `::acp_runtime` | the path of this crate |
///
/// # An impl
///
/// An extractor may call the `from_call` of other extractors. [`handlers`](crate::agent::handlers) shows an extractor
/// for a single method. If an extractor [takes the request](Parts::take_request), no other parameter can take it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of this handler",
    label = "not something this call can provide",
    note = "any handler takes its request type, `Client`, `ConnectionContext` and `RequestMeta`\na handler of a session also `&SessionId`; of an active one (`prompt`, `cancel`, `close_session`) also `SessionHandle<Config>`\n`prompt` and commands also `Turn<Config>` and `&mut Session`; a command also `Arguments`\n`load_session` also `Replay`, and it, `resume_session` and `restore_session` also `Option<SessionHandle<Config>>`; `restore_session` `Restored<Session>`, `Kept`, `Roots`, `History` and `OpenedBy`; `close_session` `ClosedSession<Session>`; `delete_session` `Option<ClosedSession<Session>>` and `Option<SessionHandle<Config>>`\n`session_opened` `SessionHandle<Config>` and `OpenedBy`; `session_ended` `SessionHandle<Config>`, `Option<ClosedSession<Session>>` and `Ended`; `steer` `PromptRequest`, `TurnHandle<Config>` and `SessionHandle<Config>`\nwith `shared = Core` on the struct, a handler of an active session also `Shared<T>`, where `T` is `Core` or implements `FromRef<Core>`; `load_session`, `resume_session`, `restore_session` and `delete_session` `Option<Shared<T>>`\nan extension takes one type that derives `serde::Deserialize` (of `#[ext(methods::Name)]` what the schema says), and `SessionHandle<Config>`: the session that its params name as `sessionId`\na handler of a prefix and a fallback also `MethodName`",
    note = "`Session` and `Config` are the types that `#[acp_agent(session = .., config = ..)]` names on the struct; without `config`, the agent itself is its `Config`",
    note = "a type of your own works after `impl FromCall<'_, M, A> for {Self}`"
)]
pub trait FromCall<'c, M: Handled<A>, A: Handlers>: Sized {
    /// The part that this parameter consumes.
    #[doc(hidden)]
    const SLOT: u32 = slot::NONE;

    /// Takes the value out of the call.
    ///
    /// # Errors
    ///
    /// The error answers the request; the handler does not run.
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self>;
}

takes! {
    [A: Handlers, M: Handled<A> + OfSession] M: &'c SessionId =
        |parts| parts.session_id().ok_or_else(|| absent("the session's id"));
    [A: Handlers<Config = C>, M: Handled<A> + OfActiveSession, C: ConfigOptions] M: SessionHandle<C> =
        |parts| parts.handle().ok_or_else(M::absent);
    [A: Handlers, M: Handled<A>] M: ConnectionContext = |parts| Ok(Self(parts.context().clone()));
}

/// A handler of a session that is active.
#[diagnostic::on_unimplemented(
    message = "a session that is active is no part of this call",
    label = "this handler has no active session to take it from",
    note = "`prompt`, `steer`, commands, `cancel`, `close_session`, `session_opened`, `session_ended` and extension methods take `Shared<T>`; `load_session`, `resume_session`, `restore_session` and `delete_session` take `Option<Shared<T>>`"
)]
pub trait OfActiveSession {
    /// The answer to a call without an active session.
    #[doc(hidden)]
    fn absent() -> Error {
        absent("the session")
    }
}

/// A handler of a session that may be active.
pub trait OfAnySession {}

impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for Client {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        Ok(parts.client())
    }
}

/// The request's `_meta`, as a parameter of a handler. `None` if the request has none.
///
/// ```
/// use acp_runtime::{agent::RequestMeta, prelude::*};
///
/// # #[acp_agent]
/// # #[derive(Clone)]
/// # struct Echo;
/// #[acp_agent]
/// impl Echo {
///     async fn prompt(&self, RequestMeta(meta): RequestMeta, turn: Turn<Self>) -> Result<StopReason> {
///         if let Some(trace) = meta.as_ref().and_then(|meta| meta.get("traceparent")) {
///             turn.thought(format!("Traced as {trace}.")).await?;
///         }
///         Ok(StopReason::EndTurn)
///     }
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestMeta(pub Option<values::Meta>);

impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for RequestMeta {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        Ok(Self(parts.meta()))
    }
}

/// What is known of the connection beside what the client says, as a parameter of a handler: the
/// [`Context`](crate::transport::Context) of the transport.
///
/// ```
/// use acp_runtime::{agent::ConnectionContext, prelude::*};
///
/// struct Principal(String);
///
/// #[acp_agent]
/// #[derive(Clone)]
/// struct Greeter;
///
/// #[acp_agent]
/// impl Greeter {
///     async fn prompt(&self, ConnectionContext(context): ConnectionContext, turn: Turn<Self>) -> Result<StopReason> {
///         let name = context.get::<Principal>().map_or("nobody", |principal| &principal.0);
///         turn.message(format!("Hello, {name}.")).await?;
///         Ok(StopReason::EndTurn)
///     }
/// }
/// # let _ = Greeter;
/// ```
#[derive(Clone, Debug, Default)]
pub struct ConnectionContext(pub Context);

/// The proof that the client has authenticated, for the parameter of a handler: without authentication, the request is
/// answered `-32000`, and the handler does not run.
///
/// `needs_auth` on the struct asks this for the methods of sessions. The parameter is for other handlers, such as that of an
/// extension.
///
/// ```
/// use acp_runtime::{agent::Authenticated, prelude::*};
///
/// #[acp_agent(needs_auth, auth(agent(id = "key", name = "API key")))]
/// #[derive(Clone)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn authenticate(&self, _request: AuthenticateRequest) -> Result<()> {
///         Ok(())
///     }
///
///     async fn prompt(&self) -> StopReason {
///         StopReason::EndTurn
///     }
///
///     /// How much the account has left.
///     #[ext("_example.com/balance")]
///     async fn balance(&self, _: Authenticated) -> u64 {
///         42
///     }
/// }
/// # let _ = Coder;
/// ```
///
/// Only the runtime makes one:
///
/// ```compile_fail,E0603
/// let forged = acp_runtime::agent::Authenticated;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Authenticated;

impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for Authenticated {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        if parts.line().authentication.is_done() { Ok(Self) } else { Err(Error::auth_required()) }
    }
}

/// The name of the method that the client called. A handler with `#[method(prefix = "..")]` or `#[fallback]` takes it as a
/// parameter.
///
/// ```
/// use acp_runtime::{agent::MethodName, prelude::*};
/// use serde_json::Value;
///
/// # #[acp_agent]
/// # #[derive(Clone)]
/// # struct Echo;
/// #[acp_agent]
/// impl Echo {
/// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
///     #[method(prefix = "_example.com/git/")]
///     async fn git(&self, method: MethodName, _params: Value) -> Result<String> {
///         match method.strip_prefix("_example.com/git/") {
///             Some("branch") => Ok("main".to_owned()),
///             _ => Err(Error::method_not_found(&method)),
///         }
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodName(pub String);

impl std::ops::Deref for MethodName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for MethodName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The types that a handler may take as parameters. A line has the generics of the impl, the method, the type, the slot that
/// it consumes, and the way to the value.
macro_rules! takes {
    ($([$($generic:tt)*] $method:ty: $taken:ty $(, $slot:ident)? = |$parts:ident| $value:expr;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<'c, $($generic)*> crate::agent::expansion::FromCall<'c, $method, A> for $taken {
            $(const SLOT: u32 = crate::agent::expansion::slot::$slot;)?

            fn from_call($parts: &mut crate::agent::call::Parts<'c, A, $method>) -> crate::wire::Result<Self> {
                $value
            }
        }
    )+};
}

pub(in crate::agent) use takes;
