//! The answers of methods that open a session.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v2/session-setup).

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::{options::Options, update::Commands};
use crate::{
    dialect::{Opened, Opening, SessionSink, members::extended},
    values::{Meta, SessionId},
    wire::Result,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a, 'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    config_options: Option<Options<'a, 'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    available_commands: Option<Commands<'a>>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<&'a Meta>,
}

pub(super) fn answer(output: &dyn SessionSink, opened: &Opened<'_>) -> Result<Box<RawValue>> {
    let Opened { by, id, modes: _, options, meta, members } = opened;
    let session_id = (*by == Opening::New).then_some(*id);
    let config_options = options.as_ref().map(|state| Options(&state.options));
    let commands = output.commands();
    let available_commands = commands.as_ref().map(|offered| Commands(&offered.available_commands));
    let answer = to_raw_value(&Response { session_id, config_options, available_commands, meta: *meta })?;
    let of_options = options.as_ref().and_then(|state| state.members.as_deref()).map_or(&[][..], Vec::as_slice);
    if of_options.is_empty() && members.is_empty() {
        return Ok(answer);
    }
    extended(&answer, [of_options, members], super::VERSION)
}
