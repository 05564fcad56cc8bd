//! `session/close`: an active session ends. The handler may store the session.
//!
//! See [Closing sessions](https://agentclientprotocol.com/protocol/v1/session-setup).

use super::{Served, ending, handler, method};
use crate::{
    agent::{
        call::{Parts, absent},
        expansion::{self, FromCall, slot},
        model::{CallContext, Handlers},
    },
    session::ClosedSession,
    values::{CloseSessionRequest, CloseSessionResponse, SessionCloseCapabilities},
    wire::{Error, Result},
};

handler! {
    /// `session/close`: the client does not need the session any more. A stored copy of the session remains.
    ///
    /// Often `async fn close_session(&self, session: ClosedSession<Session>) -> Result<()>`.
    ///
    /// See [Closing sessions](https://agentclientprotocol.com/protocol/v1/session-setup).
    close_session
}
method!(close_session = CloseSession(CloseSessionRequest) -> CloseSessionResponse);
ending::ends!(close_session, CloseSessionRequest, CloseSessionResponse, Closed, stored: false);

impl expansion::OfActiveSession for close_session {}

pub(super) const SERVED: Served = Served::new::<close_session>(|capabilities| {
    capabilities.session_capabilities.close = Some(SessionCloseCapabilities::new());
});

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, close_session, A> for ClosedSession<S> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, close_session>) -> Result<Self> {
        parts.lent.ended.take().ok_or_else(|| absent("the session"))
    }
}
