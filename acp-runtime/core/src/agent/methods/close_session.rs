//! `session/close`: an active session ends; its handler may store it.
//!
//! See [Closing sessions](https://agentclientprotocol.com/protocol/v1/session-setup).

use super::{Served, ending, method};
use crate::{
    agent::{
        context::CallContext,
        contract::{FromCall, Handlers, Parts, slot},
    },
    config::ConfigOptions,
    session::{Ended, SessionHandle},
    values::{CloseSessionRequest, CloseSessionResponse, SessionCloseCapabilities},
    wire::{Error, Result},
};

method! {
    /// `session/close`.
    CloseSession(CloseSessionRequest) -> CloseSessionResponse
}
ending::ends!(CloseSession, CloseSessionRequest, CloseSessionResponse, stored: false);

pub(super) const SERVED: Served = Served::new::<CloseSession>(|capabilities| {
    capabilities.session_capabilities.close = Some(SessionCloseCapabilities::new());
});

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, CloseSession, A> for SessionHandle<C> {
    fn from_call(parts: &mut Parts<'c, A, CloseSession>) -> Result<Self> {
        parts.session()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S: Send + 'static> FromCall<'c, CloseSession, A> for Ended<S> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, CloseSession>) -> Result<Self> {
        parts.ended()
    }
}
