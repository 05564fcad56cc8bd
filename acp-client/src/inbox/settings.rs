//! The options, the mode and the commands of a session, by the agent's last report.

use serde_json::value::RawValue;

use crate::{
    dialect::reports::{self, Change},
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
        self.set(answer);
        if let Some(modes) = reports::modes(answer) {
            self.modes = Some(modes);
        }
        // Since version 2. An agent of version 1 sends an update.
        if let Some(commands) = reports::commands(answer) {
            self.commands = Some(commands);
        }
    }

    /// Takes over the answer to a change of an option. Some agents answer `{}`, and may send an update after it.
    pub(crate) fn set(&mut self, answer: &RawValue) {
        if let Some(options) = reports::options(answer) {
            self.options = options;
        }
    }

    pub(crate) fn mode(&mut self, mode: SessionModeId) {
        if let Some(modes) = &mut self.modes {
            modes.current_mode_id = mode;
        }
    }

    /// Takes over an update that changes options, the mode or the commands.
    pub(crate) fn update(&mut self, change: Change) {
        match change {
            Change::Options(options) => self.options = options,
            Change::Mode(mode) => self.mode(mode),
            Change::Commands(commands) => self.commands = Some(commands),
        }
    }
}
