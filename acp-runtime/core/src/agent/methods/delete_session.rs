//! `session/delete`: the agent forgets a session, active or stored.
//!
//! See [Deleting sessions](https://agentclientprotocol.com/protocol/v1/session-list).

use super::{Served, ending, handler, method, takes};
use crate::{
    agent::{
        expansion,
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

takes! {
    [A: Handlers<Config = C>, C: ConfigOptions] delete_session: Option<SessionHandle<C>> = |parts| Ok(parts.handle());
    [A: Handlers<Session = S>, S] delete_session: Option<ClosedSession<S>>, SESSION = |parts| Ok(parts.lent.ended.take());
}
