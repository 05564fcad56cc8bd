//! The options, the mode and the commands of a session, by the agent's last report.

use acp_peer::wire::decode::from_json;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    options::Options,
    values::{AvailableCommand, SessionModeId, SessionModeState},
};

/// The agent's last report of a session's options, mode and commands. Reports are applied in the order of arrival.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) modes: Option<SessionModeState>,
    /// `None` before the first report.
    pub(crate) commands: Option<Vec<AvailableCommand>>,
}

impl Settings {
    /// Takes over the answer of a method that opened the session.
    pub(crate) fn opened(&mut self, answer: &RawValue) {
        #[derive(Deserialize)]
        struct Modes {
            modes: Option<SessionModeState>,
        }
        if let Some(options) = Options::read(answer) {
            self.options = options;
        }
        if let Ok(Modes { modes: Some(modes) }) = from_json(answer.get()) {
            self.modes = Some(modes);
        }
    }

    /// Takes over the answer to `session/set_config_option`. Some agents answer `{}`, and may send an update after it.
    pub(crate) fn set(&mut self, answer: &RawValue) {
        if let Some(options) = Options::read(answer) {
            self.options = options;
        }
    }

    pub(crate) fn mode(&mut self, mode: &SessionModeId) {
        if let Some(modes) = &mut self.modes {
            modes.current_mode_id = mode.clone();
        }
    }

    /// Takes over an update that changes options, the mode or the commands; ignores all other updates.
    pub(crate) fn update(&mut self, params: &str) {
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
        let Ok(Params { update }) = from_json(params) else { return };
        let Ok(Mode { session_update, current_mode_id, mode_id }) = from_json(update.get()) else { return };
        match (&*session_update, current_mode_id.or(mode_id)) {
            ("config_option_update", _) => self.set(update),
            ("current_mode_update", Some(mode)) => self.mode(&mode),
            ("available_commands_update", _) => {
                if let Some(commands) = read_commands(update) {
                    self.commands = Some(commands);
                }
            }
            _ => {}
        }
    }
}

/// Reads the commands in an update, without those that cannot be read. `None` if it has no list.
fn read_commands(update: &RawValue) -> Option<Vec<AvailableCommand>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Listed<'u> {
        #[serde(borrow)]
        available_commands: Vec<&'u RawValue>,
    }
    let Listed { available_commands } = serde_json::from_str(update.get()).ok()?;
    Some(available_commands.into_iter().filter_map(|command| serde_json::from_str(command.get()).ok()).collect())
}
