//! `session/close`: an active session ends. The handler may store the session.
//!
//! See [Closing sessions](https://agentclientprotocol.com/protocol/v1/session-setup).

use super::{Served, ending, handler, method, takes};
use crate::{
    agent::{
        call::absent,
        expansion,
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

takes! {
    [A: Handlers<Session = S>, S] close_session: ClosedSession<S>, SESSION =
        |parts| parts.lent.ended.take().ok_or_else(|| absent("the session"));
}
