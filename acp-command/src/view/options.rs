//! The options and modes of a recording, as they changed.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::said::{Said, What, short};

/// The name under which a session's mode stands, beside its options.
const MODE: &str = "mode";

#[derive(Serialize)]
struct Change {
    row: usize,
    session: usize,
    name: String,
    /// The value before; none at the option's first appearance.
    before: Option<String>,
    after: String,
}

#[derive(Default)]
pub(super) struct Changes {
    changes: Vec<Change>,
    /// The values by session, and the id of the option; modes have no id.
    values: BTreeMap<(usize, Option<String>), String>,
}

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.changes.serialize(serializer)
    }
}

impl Changes {
    pub(super) fn hear(&mut self, said: &Said<'_>) {
        let Some(session) = said.session else { return };
        match said.what {
            What::Answer(_, Ok(result)) => {
                self.options(session, said.row, &result["configOptions"]);
                self.mode(session, said.row, &result["modes"]["currentModeId"]);
            }
            _ => match said.update() {
                Some(("config_option_update", update)) => self.options(session, said.row, &update["configOptions"]),
                Some(("current_mode_update", update)) => self.mode(session, said.row, &update["currentModeId"]),
                _ => {}
            },
        }
    }

    fn options(&mut self, session: usize, row: usize, options: &Value) {
        for option in options.as_array().into_iter().flatten() {
            let id = option["configId"].as_str().or(option["id"].as_str());
            if let Some(id) = id
                && let Some(value) = option.get("currentValue")
            {
                let name = option["name"].as_str().unwrap_or(id);
                self.set(session, row, Some(id.to_owned()), name, value);
            }
        }
    }

    fn mode(&mut self, session: usize, row: usize, mode: &Value) {
        if mode.is_string() {
            self.set(session, row, None, MODE, mode);
        }
    }

    fn set(&mut self, session: usize, row: usize, id: Option<String>, name: &str, value: &Value) {
        let after = short(&value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned), 120);
        let before = self.values.insert((session, id), after.clone());
        if before.as_ref() != Some(&after) {
            self.changes.push(Change { row, session, name: short(name, 80), before, after });
        }
    }
}
