//! Options and modes: the offered values, the current values, and the refusals.

use super::{
    activity::Foreground,
    connection::Judge,
    rules,
    state::{Asked, Outcome, differ, items, text},
};
use crate::{
    tape::Party,
    value::{Value, owned},
};

/// The values that an option offers, in groups too.
fn values<'v>(option: &'v Value<'v>) -> Vec<&'v Value<'v>> {
    let grouped = |entry: &Value<'_>| entry["options"].is_array();
    let entries = items(&option["options"]);
    entries
        .flat_map(|entry| match grouped(entry) {
            true => items(&entry["options"]).map(|value| &value["value"]).collect(),
            false => vec![&entry["value"]],
        })
        .collect()
}

fn takes(option: &Value<'_>, value: &Value<'_>) -> bool {
    match option["type"].as_str() {
        Some("boolean") => value.is_boolean(),
        Some("select") => values(option).contains(&value),
        // This judge does not know the kind of the option, so any value counts as offered.
        _ => true,
    }
}

impl Judge {
    /// Checks a list of all slash commands.
    pub(super) fn commands(&mut self, list: &Value<'_>) {
        if items(list).count() > 1 {
            let differ = differ(items(list).map(|command| &command["name"]));
            self.check(differ, &rules::COMMANDS, Party::Agent, || "two slash commands have one name".to_owned());
        }
    }

    /// The field that has the id of an option.
    fn option_key(&self) -> &'static str {
        if self.version == 1 { "id" } else { "configId" }
    }

    /// Checks the settings in the answer that opened a session.
    pub(super) fn opened(&mut self, id: &str, result: &Value<'_>) {
        // Version 2 has no modes: they are a field that it does not know.
        let modes = if self.version == 1 { &result["modes"] } else { &Value::Null };
        self.session(id).modes = Some(modes).filter(|modes| modes.is_object()).map(|modes| modes.clone().into_owned());
        self.session(id).options = None;
        self.options(id, &result["configOptions"]);
        let modes = &modes["availableModes"];
        if modes.is_array() {
            let differ = differ(items(modes).map(|mode| &mode["id"]));
            self.check(differ, &rules::MODES, Party::Agent, || "two modes have one id".to_owned());
            self.current_mode(id);
        }
        self.in_step(id);
    }

    fn current_mode(&mut self, id: &str) {
        let Some(modes) = &self.session(id).modes else { return };
        let current = modes["currentModeId"].clone();
        let is_offered = items(&modes["availableModes"]).any(|mode| mode["id"] == current);
        self.check(is_offered, &rules::MODES, Party::Agent, || {
            format!("the mode {current} is current, and not offered")
        });
    }

    pub(super) fn mode_update(&mut self, id: &str, mode: &Value<'_>) {
        if let Some(modes) = &mut self.session(id).modes {
            modes.set("currentModeId", mode.clone().into_owned());
            self.current_mode(id);
        }
    }

    /// Checks a list of all options.
    pub(super) fn options(&mut self, id: &str, list: &Value<'_>) {
        self.options_after(id, list, false);
    }

    /// As [`options`](Self::options); `nothing_changed` if nothing has happened that could take an option away.
    fn options_after(&mut self, id: &str, list: &Value<'_>, nothing_changed: bool) {
        let agent = Party::Agent;
        let Some(list) = list.as_array() else { return };
        let key = self.option_key();
        let before = self.session(id).options.replace(owned(list));
        if list.len() > 1 {
            self.check(differ(list.iter().map(|option| &option[key])), &rules::OPTION_IDS, agent, || {
                "two options have one id".to_owned()
            });
        }
        for option in list {
            let name = &option[key];
            match option["type"].as_str() {
                // On version 2, all clients know them.
                Some("boolean") if self.version == 1 => {
                    let known = self.knows_booleans();
                    self.check(known, &rules::BOOLEANS, agent, || format!("shows the boolean option {name}"));
                }
                Some("select") => {
                    let values = values(option);
                    let current = &option["currentValue"];
                    self.check(values.contains(&current), &rules::OPTION_VALUES, agent, || {
                        format!("{current} is current in the option {name}, and not offered")
                    });
                    self.check(differ(values.into_iter()), &rules::OPTION_VALUES, agent, || {
                        format!("the option {name} offers a value twice")
                    });
                }
                _ => {}
            }
        }
        let kept = |old: &&Value<'_>| !list.iter().any(|new| new[key] == old[key]);
        let gone: Vec<_> = before.iter().flatten().filter(kept).map(|old| old[key].to_string()).collect();
        if before.is_none_or(|before| before.is_empty()) {
            return;
        }
        let names = gone.join(", ");
        if nothing_changed {
            self.check(gone.is_empty(), &rules::OPTION_ALL, agent, || {
                format!("an option is set to the value that it has, and the answer leaves out {names}: it must have all options, also those that did not change")
            });
        }
        self.check(gone.is_empty() || nothing_changed, &rules::OPTION_GONE, agent, || {
            format!("a list leaves out {names}: allowed where another value takes the option away, as a model that does not have it")
        });
    }

    /// Compares the modes with the option that shows them.
    pub(super) fn in_step(&mut self, id: &str) {
        let session = self.session(id);
        let (Some(options), Some(modes)) = (&session.options, &session.modes) else { return };
        let Some(option) = options.iter().find(|option| option["category"] == "mode") else { return };
        let (mode, value) = (&modes["currentModeId"], &option["currentValue"]);
        // The option may have values that are no modes.
        if values(option).contains(&mode) {
            let (holds, text) =
                (mode == value, format!("the mode is {mode}, and its option {} shows {value}", option["id"]));
            self.check(holds, &rules::IN_STEP, Party::Agent, || text);
        }
    }

    /// Whether a request sets an option to its present value, and nothing else goes on in the session.
    pub(super) fn is_same(&self, params: &Value<'_>) -> bool {
        let id = text(params, "sessionId");
        let is_alone = !self.open.values().any(|asked| asked.params["sessionId"] == id);
        let Some(session) = self.sessions.get(id).filter(|session| is_alone && session.is_open()) else { return false };
        let key = self.option_key();
        let is_idle = !session.is_busy() && session.activity.foreground == Foreground::Idle;
        let mut options = session.options.iter().flatten();
        is_idle && options.any(|option| option[key] == params["configId"] && option["currentValue"] == params["value"])
    }

    /// Called when a client sets an option. Returns whether its value is offered.
    pub(super) fn sets_option(&mut self, params: &Value<'_>) -> Option<bool> {
        let session = self.sessions.get(text(params, "sessionId")).filter(|session| session.is_open())?;
        let key = self.option_key();
        let option = session.options.as_ref()?.iter().find(|option| option[key] == params["configId"]);
        let is_offered = option.is_some_and(|option| takes(option, &params["value"]));
        self.check(is_offered, &rules::OPTION_OFFERED, Party::Client, || {
            format!("sets {} to {}, which is not offered", params["configId"], params["value"])
        });
        Some(is_offered)
    }

    pub(super) fn option_set(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { params, is_offered, changes_nothing, .. } = asked;
        let session = text(params, "sessionId");
        let (id, value) = (&params["configId"], &params["value"]);
        let key = self.option_key();
        if self.version == 2 {
            self.refused(&rules::OPTION_INVALID, *is_offered, outcome, || format!("sets {id} to {value}"));
        } else if !outcome.as_ref().is_ok_and(|result| self.has_added(session, id, value, &result["configOptions"])) {
            self.refused(&rules::OPTION_REFUSED, *is_offered, outcome, || format!("sets {id} to {value}"));
        }
        let Ok(result) = outcome else { return };
        self.options_after(session, &result["configOptions"], *changes_nothing);
        if *is_offered == Some(true)
            && let Some(option) = items(&result["configOptions"]).find(|option| option[key] == *id)
        {
            let shown = &option["currentValue"];
            self.check(shown == value, &rules::OPTION_SET, Party::Agent, || {
                format!("{id} is set to {value}, and the answer shows {shown}")
            });
        }
        self.in_step(session);
    }

    /// Whether an agent that takes any value has added the value to its list, and shows it as the current one.
    fn has_added(&self, session: &str, id: &Value<'_>, value: &Value<'_>, answer: &Value<'_>) -> bool {
        let before = self.sessions.get(session).and_then(|session| session.options.as_ref());
        let before = before.and_then(|options| options.iter().find(|option| option["id"] == *id));
        items(answer).find(|option| option["id"] == *id).is_some_and(|option| {
            let is_kept = |listed: &Value<'_>| takes(option, listed);
            option["type"] == "select"
                && option["currentValue"] == *value
                && is_kept(value)
                && before.is_none_or(|before| values(before).into_iter().all(is_kept))
        })
    }

    /// Called when a client sets the mode. Returns whether the mode is offered.
    pub(super) fn sets_mode(&mut self, params: &Value<'_>) -> Option<bool> {
        let session = self.sessions.get(text(params, "sessionId")).filter(|session| session.is_open())?;
        let modes = session.modes.as_ref()?;
        let is_offered = items(&modes["availableModes"]).any(|mode| mode["id"] == params["modeId"]);
        self.check(is_offered, &rules::MODE_SET, Party::Client, || {
            format!("sets the mode {}, which is not offered", params["modeId"])
        });
        Some(is_offered)
    }

    pub(super) fn mode_set(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let Asked { params, is_offered, .. } = asked;
        let session = text(params, "sessionId");
        let mode = &params["modeId"];
        self.refused(&rules::MODE_REFUSED, *is_offered, outcome, || format!("sets the mode {mode}"));
        if outcome.is_ok() && *is_offered == Some(true) {
            if let Some(modes) = &mut self.session(session).modes {
                modes.set("currentModeId", mode.clone().into_owned());
            }
            self.in_step(session);
        }
    }

    /// Checks that the agent refuses values that are not offered.
    fn refused(
        &mut self,
        rule: &'static super::Rule,
        is_offered: Option<bool>,
        outcome: &Outcome<'_>,
        what: impl FnOnce() -> String,
    ) {
        if is_offered != Some(false) {
            return;
        }
        self.weigh(rule, Party::Agent);
        let text = match outcome {
            Ok(_) => format!("{}, which it does not offer", what()),
            Err(error) => match error["code"].as_i64() {
                Some(-32602 | -32601) => return,
                code => format!("refuses a value that it does not offer with {}", code.unwrap_or_default()),
            },
        };
        self.find(rule, Party::Agent, text);
    }
}
