//! The parameters of handlers: by type, in any order.

use super::{call::Parts, declaration::Handlers};
use crate::{
    agent::methods::{Handled, OfSession},
    client::Client,
    values::{self, SessionId},
    wire::Result,
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

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A> + OfSession> FromCall<'c, M, A> for &'c SessionId {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        parts.session_id().ok_or_else(|| super::call::absent("the session's id"))
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
pub struct Meta(pub Option<values::Meta>);

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A>> FromCall<'c, M, A> for Meta {
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        Ok(Self(parts.meta()))
    }
}
