//! `session/resume`: opens a stored session without a replay of its history.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#resuming-sessions).

use super::{Served, handler, method, opening};
use crate::{
    agent::model::CallContext,
    values::{ResumeSessionRequest, ResumeSessionResponse, SessionResumeCapabilities},
    wire::Result,
};

handler! {
    /// `session/resume`: the agent continues a stored session, and does not show its history to the client.
    ///
    /// Often `async fn resume_session(&self, id: &SessionId) -> Result<Session>`.
    ///
    /// See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup#resuming-sessions).
    resume_session
}
method!(resume_session = ResumeSession(ResumeSessionRequest) -> ResumeSessionResponse);
opening::reopens!(resume_session(ResumeSessionRequest), Resume);

pub(super) const SERVED: Served = Served::new::<resume_session>(|capabilities| {
    capabilities.session_capabilities.resume = Some(SessionResumeCapabilities::new());
});
