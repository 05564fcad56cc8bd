//! `session/delete`: the agent forgets a session, active or stored.
//!
//! See [Deleting sessions](https://agentclientprotocol.com/protocol/v1/session-list).

use super::{Served, ending, handler, method};
use crate::{
    agent::{
        call::Parts,
        expansion::{self, FromCall, slot},
        model::{CallContext, Handlers},
    },
    config::ConfigOptions,
    session::{ClosedSession, SessionHandle},
    values::{DeleteSessionRequest, DeleteSessionResponse, SessionDeleteCapabilities},
    wire::{Error, Result},
};

handler! {
    /// `session/delete`: the agent must forget the session, active or not.
    ///
    /// Often `async fn delete_session(&self, id: &SessionId) -> Result<()>`.
    ///
    /// See [Deleting sessions](https://agentclientprotocol.com/protocol/v1/session-list).
    delete_session
}
method!(delete_session = DeleteSession(DeleteSessionRequest) -> DeleteSessionResponse);
ending::ends!(delete_session, DeleteSessionRequest, DeleteSessionResponse, Deleted, stored: true);

impl expansion::OfAnySession for delete_session {}

pub(super) const SERVED: Served = Served::new::<delete_session>(|capabilities| {
    capabilities.session_capabilities.delete = Some(SessionDeleteCapabilities::new());
});

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Config = C>, C: ConfigOptions> FromCall<'c, delete_session, A> for Option<SessionHandle<C>> {
    fn from_call(parts: &mut Parts<'c, A, delete_session>) -> Result<Self> {
        Ok(parts.handle())
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers<Session = S>, S> FromCall<'c, delete_session, A> for Option<ClosedSession<S>> {
    const SLOT: u32 = slot::SESSION;

    fn from_call(parts: &mut Parts<'c, A, delete_session>) -> Result<Self> {
        Ok(parts.lent.ended.take())
    }
}
