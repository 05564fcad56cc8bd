//! An agent's reports of a session's options, mode and commands.

use acp_peer::wire::decode::from_json;
use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    options::{ConfigOption, Options},
    values::{AvailableCommand, SessionModeId, SessionModeState},
};

/// What an update changes.
pub(crate) enum Change {
    Options(Options),
    Mode(SessionModeId),
    Commands(Vec<AvailableCommand>),
}

/// The change in an update; `None` for all other updates. `params` are those of the notification.
pub(crate) fn change(params: &str) -> Option<Change> {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow)]
        update: &'a RawValue,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Mode {
        session_update: String,
        current_mode_id: Option<SessionModeId>,
        /// Its name on a page of the protocol, and so with some agents.
        mode_id: Option<SessionModeId>,
    }
    // Nearly all updates are read no further. No other update's name begins with these words; if a text contains one by
    // chance, it is only read once more.
    let text = params.as_bytes();
    let may_change = memmem::find(text, b"config_option_update").is_some()
        || memmem::find(text, b"current_mode_update").is_some()
        || memmem::find(text, b"available_commands_update").is_some();
    if !may_change {
        return None;
    }
    let Params { update } = from_json(params).ok()?;
    let Mode { session_update, current_mode_id, mode_id } = from_json(update.get()).ok()?;
    match &*session_update {
        "config_option_update" => options(update).map(Change::Options),
        "current_mode_update" => current_mode_id.or(mode_id).map(Change::Mode),
        "available_commands_update" => commands(update).map(Change::Commands),
        _ => None,
    }
}

/// The modes in the answer of a method that opened a session.
pub(crate) fn modes(answer: &RawValue) -> Option<SessionModeState> {
    #[derive(Deserialize)]
    struct Modes {
        modes: Option<SessionModeState>,
    }
    from_json(answer.get()).ok().and_then(|Modes { modes }| modes)
}

/// The options in an answer or update; `None` if there are none in it.
pub(crate) fn options(answer: &RawValue) -> Option<Options> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Full {
        config_options: Option<Vec<Box<RawValue>>>,
    }
    let full: Full = from_json(answer.get()).ok()?;
    Some(Options(full.config_options?.into_iter().filter_map(option).collect()))
}

/// An option; `None` if it has no id.
fn option(raw: Box<RawValue>) -> Option<ConfigOption> {
    #[derive(Deserialize)]
    struct Named {
        id: String,
        #[serde(default)]
        name: String,
    }
    if let Ok(known) = from_json(raw.get()) {
        return Some(ConfigOption::Known(known));
    }
    let Named { id, name } = from_json(raw.get()).ok()?;
    Some(ConfigOption::Unknown { id, name, raw })
}

/// The commands in an answer or update, without those that cannot be read. `None` if it has no list.
pub(crate) fn commands(update: &RawValue) -> Option<Vec<AvailableCommand>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Listed<'u> {
        #[serde(borrow)]
        available_commands: Vec<&'u RawValue>,
    }
    let Listed { available_commands } = serde_json::from_str(update.get()).ok()?;
    Some(available_commands.into_iter().filter_map(|command| serde_json::from_str(command.get()).ok()).collect())
}
