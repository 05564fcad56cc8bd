//! The options, as users of the official SDK write them: every list, every check and every full state by hand.

use agent_client_protocol::v1::schema::*;
use agent_client_protocol::{Error, Result};

const MODELS: [(&str, &str); 2] = [("fast", "Fast"), ("smart", "Smart")];
const EFFORTS: [(&str, &str); 3] = [("low", "Low"), ("medium", "Medium"), ("high", "High")];

pub struct Config {
    model: SessionConfigValueId,
    effort: SessionConfigValueId,
    brave: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { model: "smart".into(), effort: "medium".into(), brave: false }
    }
}

fn choices(choices: &[(&'static str, &str)]) -> Vec<SessionConfigSelectOption> {
    choices.iter().map(|(value, name)| SessionConfigSelectOption::new(*value, *name)).collect()
}

impl Config {
    pub fn options(&self, boolean: bool) -> Vec<SessionConfigOption> {
        let mut options = vec![
            SessionConfigOption::select("model", "Model", self.model.clone(), choices(&MODELS))
                .category(SessionConfigOptionCategory::Model),
            SessionConfigOption::select("effort", "Effort", self.effort.clone(), choices(&EFFORTS))
                .category(SessionConfigOptionCategory::ThoughtLevel),
        ];
        if boolean {
            options.push(SessionConfigOption::boolean("brave", "Brave mode", self.brave));
        }
        options
    }

    pub fn set(&mut self, boolean: bool, id: &str, value: &SessionConfigOptionValue) -> Result<()> {
        let select = |choices: &[(&str, &str)]| match value.as_value_id() {
            Some(value) if choices.iter().any(|choice| choice.0 == &*value.0) => Ok(value.clone()),
            _ => Err(Error::invalid_params().data(format!("bad value for option `{id}`"))),
        };
        match id {
            "model" => self.model = select(&MODELS)?,
            "effort" => self.effort = select(&EFFORTS)?,
            "brave" if boolean => {
                let bad = || Error::invalid_params().data("option `brave` needs a boolean");
                self.brave = value.as_bool().ok_or_else(bad)?;
            }
            _ => return Err(Error::invalid_params().data(format!("unknown option `{id}`"))),
        }
        Ok(())
    }
}
