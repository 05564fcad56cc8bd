//! `session/load`: opens a stored session and replays its history.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).

use super::{Served, handler, method, opening};
use crate::{
    agent::{
        call::{Parts, absent},
        expansion::FromCall,
        model::{CallContext, Handlers},
    },
    session::Replay,
    values::{LoadSessionRequest, LoadSessionResponse},
    wire::Result,
};

handler! {
    /// `session/load`: the agent continues a stored session, and shows its history to the client.
    ///
    /// Often `async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<Session>`.
    ///
    /// See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).
    load_session
}
method!(load_session = LoadSession(LoadSessionRequest) -> LoadSessionResponse);
opening::reopens!(load_session(LoadSessionRequest), Load);

pub(super) const SERVED: Served = Served::new::<load_session>(|capabilities| {
    capabilities.load_session = true;
});

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers> FromCall<'c, load_session, A> for Replay {
    fn from_call(parts: &mut Parts<'c, A, load_session>) -> Result<Self> {
        parts.lent.replaying.map(Replay::new).ok_or_else(|| absent("the replay"))
    }
}
