//! The parameters of handlers: by type, in any order.

use serde::de::DeserializeOwned;

use super::{call::Parts, declaration::Handlers};
use crate::{
    agent::{
        methods::{Ext, ExtNotification, ExtOf, Handled, OfSession},
        params,
    },
    client::Client,
    config::ConfigOptions,
    schema::{
        Method,
        v1::{self, methods, *},
    },
    session::{Ended, Replay, SessionHandle, Turn},
    wire::{Error, Result},
};

/// What a parameter takes that no second parameter may take.
pub mod slot {
    /// Nothing: any number of parameters may have this type.
    pub const NONE: u32 = 0;
    /// The request.
    pub const REQUEST: u32 = 1;
    /// The session's state.
    pub const SESSION: u32 = 2;
}

/// A type that a handler may take as a parameter.
///
/// Implement it for a type of your own to extract what your handlers often need.
///
/// ```
/// use acp_runtime::agent::{FromCall, Handled, Handlers, Parts};
/// use acp_runtime::Result;
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
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a `{M}` handler",
    label = "not something this call can provide",
    note = "any handler takes its request type, `Client` and `Meta`\na handler of a session also `&SessionId`; of an active one (`prompt`, `cancel`, `close_session`) also `SessionHandle<Config>`\n`prompt` also `Turn<Config>` and `&mut Session`\n`load_session` also `Replay`, and it and `resume_session` also `Option<SessionHandle<Config>>`; `close_session` `Ended<Session>`; `delete_session` `Option<Ended<Session>>` and `Option<SessionHandle<Config>>`\nan extension takes one type that derives `serde::Deserialize` (of `#[ext(methods::Name)]` what the schema says), and `SessionHandle<Config>`: the session that its params name as `sessionId`",
    note = "`Session` and `Config` are the types that `#[acp_agent(session = .., config = ..)]` names on the struct; without `config`, the agent itself is its `Config`",
    note = "a type of your own works after `impl FromCall<'_, M, A> for {Self}`"
)]
pub trait FromCall<'c, M: Handled<A>, A: Handlers>: Sized {
    /// What no second parameter may take.
    const SLOT: u32 = slot::NONE;

    /// Takes the value out of the call.
    ///
    /// # Errors
    ///
    /// The error answers the request; the handler does not run.
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self>;
}

fn absent(what: &str) -> Error {
    Error::internal_error(format!("{what} is not part of this call"))
}

macro_rules! requests {
    ($($method:ident $request:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers> FromCall<'c, methods::$method, A> for $request {
            const SLOT: u32 = slot::REQUEST;

            fn from_call(parts: &mut Parts<'c, A, methods::$method>) -> Result<Self> {
                parts.take_request().ok_or_else(|| absent("the request"))
            }
        }
    )*};
}
requests! {
    NewSession NewSessionRequest;
    LoadSession LoadSessionRequest;
    ResumeSession ResumeSessionRequest;
    CloseSession CloseSessionRequest;
    DeleteSession DeleteSessionRequest;
    ListSessions ListSessionsRequest;
    Authenticate AuthenticateRequest;
    Logout LogoutRequest;
    Prompt PromptRequest;
    Cancel CancelNotification;
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, T: DeserializeOwned> FromCall<'c, Ext, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, Ext>) -> Result<Self> {
        params::of_extension(&parts.take_request().ok_or_else(|| absent("the request"))?)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, T: DeserializeOwned> FromCall<'c, ExtNotification, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, ExtNotification>) -> Result<Self> {
        params::of_extension(&parts.take_request().ok_or_else(|| absent("the request"))?)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Method<Params = T>, T: DeserializeOwned> FromCall<'c, ExtOf<M>, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, ExtOf<M>>) -> Result<Self> {
        params::of_extension(&parts.take_request().ok_or_else(|| absent("the request"))?)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S: 'static> FromCall<'c, methods::Prompt, A> for &'c mut S {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, methods::Prompt>) -> Result<Self> {
        parts.take_state().ok_or_else(|| absent("the session"))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, methods::Prompt, A> for Turn<C> {
    fn from_call(parts: &mut Parts<'c, A, methods::Prompt>) -> Result<Self> {
        let handle = parts.handle().ok_or_else(|| absent("the turn"))?;
        Ok(Turn::new(handle, parts.client()))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A> + OfSession> FromCall<'c, M, A> for &'c SessionId {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        parts.session_id().ok_or_else(|| absent("the session's id"))
    }
}

macro_rules! of_active_sessions {
    ($($method:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, $method, A> for SessionHandle<C> {
            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                parts.handle().ok_or_else(|| absent("the session"))
            }
        }
    )*};
}
of_active_sessions! { methods::Prompt methods::Cancel methods::CloseSession }

/// The session whose id the params hold as `sessionId`, as the protocol's own methods do.
macro_rules! of_named_sessions {
    ($($method:ty $(where $generic:ident)?;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers<Config = C>, C: ConfigOptions $(, $generic: Method)?> FromCall<'c, $method, A>
            for SessionHandle<C>
        {
            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                parts.handle().ok_or_else(|| Error::invalid_params("`sessionId` names no active session"))
            }
        }
    )*};
}
of_named_sessions! { Ext; ExtNotification; ExtOf<M> where M; }

/// The session, if it is active already.
macro_rules! of_stored_sessions {
    ($($method:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, $method, A> for Option<SessionHandle<C>> {
            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                Ok(parts.handle())
            }
        }
    )*};
}
of_stored_sessions! { methods::LoadSession methods::ResumeSession methods::DeleteSession }

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, methods::LoadSession, A> for Replay {
    fn from_call(parts: &mut Parts<'c, A, methods::LoadSession>) -> Result<Self> {
        parts.replay().ok_or_else(|| absent("the replay"))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S: Send + 'static> FromCall<'c, methods::CloseSession, A> for Ended<S> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, methods::CloseSession>) -> Result<Self> {
        parts.take_ended().ok_or_else(|| absent("the session"))
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S: Send + 'static> FromCall<'c, methods::DeleteSession, A> for Option<Ended<S>> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, methods::DeleteSession>) -> Result<Self> {
        Ok(parts.take_ended())
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for Client {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        Ok(parts.client())
    }
}

/// The request's `_meta`: `None` when it has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta(pub Option<v1::Meta>);

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for Meta {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        Ok(Self(parts.meta()))
    }
}
