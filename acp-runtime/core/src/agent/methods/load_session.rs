//! `session/load`: opens a stored session and replays its history.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#loading-sessions).

use super::{Served, handler, method, opening, takes};
use crate::{
    agent::{
        call::absent,
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

takes! {
    [A: Handlers] load_session: Replay = |parts| parts.lent.replaying.map(Replay::new).ok_or_else(|| absent("the replay"));
}
