//! `session/list`: the sessions that the agent has stored.
//!
//! See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).

use std::path::PathBuf;

use super::{Served, answers, handler, method};
use crate::{
    agent::{
        call::{Called, Handled},
        capability_checks,
        kinds::Plain,
        model::{CallContext, Handlers},
    },
    values::{ListSessionsRequest, ListSessionsResponse, SessionListCapabilities},
    wire::{Error, Result},
};

handler! {
    /// `session/list`: the client wants the list of the stored sessions.
    ///
    /// Often `async fn list_sessions(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse>`.
    ///
    /// See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).
    list_sessions
}
method!(list_sessions = ListSessions(ListSessionsRequest) -> ListSessionsResponse);
answers!(list_sessions: ListSessionsResponse);

pub(super) const SERVED: Served = Served::new::<list_sessions>(|capabilities| {
    capabilities.session_capabilities.list = Some(SessionListCapabilities::new());
});

/// A call that lists sessions: those of this directory, if it names one.
type Listing = Plain<Option<PathBuf>>;

impl<A: Handlers> Called<A> for list_sessions {
    fn admit(_: &mut CallContext<A>, params: &Self::Params) -> Result<Listing> {
        if let Some(cwd) = &params.cwd {
            capability_checks::absolute("cwd", cwd.as_ref())?;
        }
        Ok(Plain(params.cwd.clone()))
    }
}

impl<A: Handlers> Handled<A> for list_sessions {
    type Params = ListSessionsRequest;
    type Answer = ListSessionsResponse;
    type Response = ListSessionsResponse;
    type Admitted = Listing;

    async fn conclude(_: &mut CallContext<A>, call: &mut Listing, answer: Self::Answer) -> Result<Self::Response> {
        let mut response = answer;
        if let Some(wanted) = &call.0 {
            response.sessions.retain(|session| session.cwd == *wanted);
        }
        let mut paths = response.sessions.iter().flat_map(|one| one.additional_directories.iter().chain([&one.cwd]));
        if paths.any(|path| !path.is_absolute()) {
            return Err(Error::internal_error(
                "the agent listed a session with a path that is not absolute; the protocol's paths are",
            ));
        }
        drop(paths);
        Ok(response)
    }
}
