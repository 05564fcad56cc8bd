//! The parameters of handlers. The compiler finds each by its type, so they may stand in any order.

use acp_handlers::slot;
use acp_peer::Result;

use super::{
    handled::{Handled, OfSession},
    lent::Parts,
};
use crate::{handlers::RequestMeta, values::SessionId};

/// A type that a client's handler may take as a parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a client's `{M}` handler",
    label = "not something this call can provide",
    note = "any handler takes its request, notification or update by its type, and `RequestMeta`\na handler of a session, so all but those of elicitations and extensions, also `&SessionId`\nan extension takes one type that derives `serde::Deserialize` (of `#[ext(methods::Name)]` what the schema says)"
)]
pub trait FromCall<'c, M: Handled>: Sized {
    /// The part that this parameter consumes.
    const SLOT: u32 = slot::NONE;

    /// Takes the value out of the call.
    ///
    /// # Errors
    ///
    /// The error answers the request; the handler does not run.
    fn from_call(parts: &mut Parts<'c, M>) -> Result<Self>;
}

#[diagnostic::do_not_recommend]
impl<'c, M: Handled + OfSession> FromCall<'c, M> for &'c SessionId {
    fn from_call(parts: &mut Parts<'c, M>) -> Result<Self> {
        parts.session()
    }
}

#[diagnostic::do_not_recommend]
impl<M: Handled> FromCall<'_, M> for RequestMeta {
    fn from_call(parts: &mut Parts<'_, M>) -> Result<Self> {
        Ok(Self(parts.meta()))
    }
}
