//! Which methods an agent serves, against those that it advertises.

use std::path::Path;

use acp_client::{
    Connection, Error, ErrorKind, Session,
    values::{
        CloseSessionRequest, DeleteSessionRequest, ListSessionsRequest, LoadSessionRequest, ResumeSessionRequest,
        SetSessionConfigOptionRequest, SetSessionModeRequest, methods,
    },
};
use acp_schema::{AgentMethod, RequestMethod};
use serde::Serialize;

/// An id that no agent has given to a session.
const NOBODY: &str = "acp-inspect-has-no-such-session";
/// An id that no agent has given to an option or a mode.
const NOTHING: &str = "acp-inspect-has-no-such-option";

/// `method not found` of JSON-RPC.
const METHOD_NOT_FOUND: i32 = -32601;

/// A method that a capability announces.
#[derive(Debug, Serialize)]
pub(crate) struct Probe {
    pub(crate) method: &'static str,
    pub(crate) advertised: bool,
    pub(crate) served: Served,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Served {
    /// It answered, be it with an error for what was asked.
    Yes,
    /// `method not found`.
    No,
    /// It wants a login first.
    Login,
    /// It did not answer in time.
    Silent,
    /// The answer has another shape than the protocol's.
    Unreadable,
    /// The agent ended.
    Ended,
}

impl Served {
    /// The word in a report for people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Login => "login needed",
            Self::Silent => "no answer",
            Self::Unreadable => "unreadable answer",
            Self::Ended => "the agent ended",
        }
    }

    pub(crate) fn of<T>(answered: Result<T, Error>) -> Self {
        let Err(error) = answered else { return Self::Yes };
        match error.kind() {
            ErrorKind::Refused { error, .. } if error.code() == METHOD_NOT_FOUND => Self::No,
            ErrorKind::AuthRequired { .. } => Self::Login,
            ErrorKind::TimedOut { .. } | ErrorKind::Unsent { .. } => Self::Silent,
            ErrorKind::Unreadable { .. } => Self::Unreadable,
            ErrorKind::Ended { .. } => Self::Ended,
            _ => Self::Yes,
        }
    }
}

/// What is wrong with a method; `None` if it is as advertised.
pub(super) fn finding(probe: &Probe) -> Option<&'static str> {
    match (probe.advertised, probe.served) {
        (true, Served::No) => Some("advertised, but not served"),
        (true, Served::Silent) => Some("advertised, but not answered"),
        (_, Served::Unreadable) => Some("answered in another shape than the protocol's"),
        (_, Served::Ended) => Some("the agent ended when it was called"),
        (false, Served::Yes) => Some("served, but not advertised"),
        _ => None,
    }
}

/// Calls each method once. The session is closed in the end.
pub(crate) async fn all(connection: &Connection, session: Option<&Session>, folder: &Path) -> Vec<Probe> {
    let offered = &connection.agent().agent_capabilities;
    let of_session = &offered.session_capabilities;
    let mut probes = vec![
        call::<methods::ListSessions>(connection, of_session.list.is_some(), ListSessionsRequest::new()).await,
        call::<methods::LoadSession>(
            connection,
            offered.load_session,
            LoadSessionRequest::new(Vec::new(), folder, NOBODY),
        )
        .await,
        call::<methods::ResumeSession>(
            connection,
            of_session.resume.is_some(),
            ResumeSessionRequest::new(NOBODY, folder),
        )
        .await,
        call::<methods::DeleteSession>(connection, of_session.delete.is_some(), DeleteSessionRequest::new(NOBODY))
            .await,
    ];
    let Some(session) = session else { return probes };
    let id = session.id();
    let set = SetSessionConfigOptionRequest::new(id.clone(), NOTHING, NOTHING);
    let has_options = !session.options().is_empty();
    probes.push(call::<methods::SetSessionConfigOption>(connection, has_options, set).await);
    // Version 2 has no modes.
    if connection.version() < 2 {
        let set = SetSessionModeRequest::new(id.clone(), NOTHING);
        probes.push(call::<methods::SetSessionMode>(connection, session.modes().is_some(), set).await);
    }
    let close = CloseSessionRequest::new(id.clone());
    probes.push(call::<methods::CloseSession>(connection, of_session.close.is_some(), close).await);
    probes
}

async fn call<M: RequestMethod + AgentMethod>(connection: &Connection, advertised: bool, params: M::Params) -> Probe
where
    M::Params: Sync,
{
    Probe { method: M::NAME, advertised, served: Served::of(connection.call::<M>(&params).await) }
}
