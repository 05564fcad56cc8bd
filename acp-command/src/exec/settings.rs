//! `--set option=value`.

use std::str::FromStr;

use acp_client::{CurrentValue, Session};

use crate::exit::Failure;

/// An option, and the value for it.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    option: String,
    value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((option, value)) if !option.is_empty() => {
                Ok(Self { option: option.to_owned(), value: value.to_owned() })
            }
            _ => Err("write `option=value`; `acp inspect` lists the options of an agent".to_owned()),
        }
    }
}

impl Setting {
    /// Sets the option. An agent that has modes and no option of the name `mode` gets the mode.
    pub(super) async fn apply(&self, session: &Session) -> Result<(), Failure> {
        let Self { option, value } = self;
        let is_switch =
            session.options().get(option).map(|option| matches!(option.current(), Some(CurrentValue::Boolean(_))));
        match is_switch {
            Some(true) => {
                let on = value.parse::<bool>().map_err(|_| {
                    Failure::usage(format!(
                        "`--set {option}={value}`: the option `{option}` is on or off: write `true` or `false`"
                    ))
                })?;
                session.set_option(option, on).await?;
            }
            None if option == "mode" && session.modes().is_some() => session.set_mode(value).await?,
            _ => drop(session.set_option(option, value.as_str()).await?),
        }
        Ok(())
    }
}
