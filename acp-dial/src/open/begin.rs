//! How a connection has begun, for the next one.

use bytes::Bytes;
use serde_json::{Value, value::RawValue};

use crate::message::Message;

/// How the first connection has begun.
#[derive(Default)]
pub(super) struct Begin {
    /// The request `initialize`.
    pub(super) request: Bytes,
    /// The version of the protocol that the agent has chosen.
    version: Value,
    /// Whether the agent can resume sessions.
    pub(super) resumes: bool,
}

impl Begin {
    fn new(request: Bytes, result: &Value) -> Self {
        let version = result["protocolVersion"].clone();
        // In version 2, each agent can.
        let resumes =
            version.as_u64() >= Some(2) || result["agentCapabilities"]["sessionCapabilities"]["resume"].is_object();
        Self { request, version, resumes }
    }

    /// Whether the agent says what sessions do.
    pub(super) fn tells_states(&self) -> bool {
        self.version.as_u64() >= Some(2)
    }
}

/// The agent has answered `initialize`; `None` with an error. `begun` is the begin of the first connection.
///
/// # Errors
///
/// This is not the first connection, and the agent refuses, or speaks another version than before.
pub(super) fn answered(begun: &mut Option<Begin>, request: &Message, result: Option<&RawValue>) -> Result<(), String> {
    let result = result.map(|result| serde_json::from_str::<Value>(result.get()).unwrap_or_default());
    if !request.is_own {
        *begun = result.map(|result| Begin::new(request.bytes.clone(), &result));
        return Ok(());
    }
    let Some(result) = result else { return Err("the agent refuses to begin another connection".to_owned()) };
    let (before, now) = (begun.as_ref().map(|begin| &begin.version), &result["protocolVersion"]);
    if before.is_some_and(|before| before != now) {
        return Err(format!(
            "the agent speaks version {now} of the protocol now: connect again, and load the sessions"
        ));
    }
    Ok(())
}
