//! The options of a session: the model with its provider (C.8, C.9), and the mode (C.10).

use std::{any, env, env::VarError};

use acp_runtime::{config::ChoiceValue, prelude::*, store::Kept};

/// The options, in the order in which clients show them.
#[derive(ConfigOptions, Clone)]
pub struct Config {
    // As `provider/model`. A model alone keeps the provider.
    #[config_option(category = "model", default = Choice::default(), open)]
    pub(crate) model: Choice,
    /// What the tools may do without a question.
    #[config_option(category = "mode")]
    pub(crate) mode: Preset,
}

/// A preset of permissions.
#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
pub enum Preset {
    /// Reads, and changes nothing.
    #[select_value(id = "read-only", name = "Read only")]
    ReadOnly,
    /// Writes files, and asks before it runs a command.
    #[default]
    #[select_value(id = "workspace-write")]
    WorkspaceWrite,
    /// Does everything without a question.
    #[select_value(id = "full-access")]
    FullAccess,
    /// Plans, and changes nothing.
    Plan,
}

/// The credentials of a provider. They leave the process only in requests to the provider.
pub struct Credentials {
    /// The key.
    pub api_key: String,
    /// The address, if it is not the provider's own.
    pub base_url: Option<String>,
}

/// Finds the credentials of a provider. An error is only its type ([`type_of`]), because its text may hold a key.
pub type Resolve = dyn Fn(&str) -> Result<Credentials, &'static str> + Send + Sync;

/// The type of an error, without the error.
pub fn type_of<E>(_: E) -> &'static str {
    any::type_name::<E>()
}

/// The first model of a session, and the function that finds the credentials of a provider.
pub struct Providers {
    /// The model of new sessions, as `provider/model`.
    pub first: String,
    /// Finds the credentials.
    pub resolve: Box<Resolve>,
    /// Gets a line for each provider that is not resolved.
    pub log: Box<dyn Fn(String) + Send + Sync>,
}

impl Providers {
    /// The provider of the environment: `LLM_PROVIDER`, and `{PREFIX}_API_KEY`, `{PREFIX}_BASE_URL` and `{PREFIX}_MODEL` under its
    /// name. No other provider is resolved.
    pub fn from_env(log: impl Fn(String) + Send + Sync + 'static) -> Self {
        // A variable without a value is not there.
        let var = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let provider = var("LLM_PROVIDER").unwrap_or("openai".to_owned()).trim().to_lowercase();
        let of = move |provider: &str, end| var(&format!("{}_{end}", provider.to_uppercase()));
        let first = format!("{provider}/{}", of(&provider, "MODEL").unwrap_or("scripted".to_owned()));
        let resolve = move |asked: &str| {
            let api_key = of(asked, "API_KEY").filter(|_| asked == provider).ok_or(type_of(VarError::NotPresent))?;
            Ok(Credentials { api_key, base_url: of(asked, "BASE_URL") })
        };
        Self { first, resolve: Box::new(resolve), log: Box::new(log) }
    }

    /// The options of a new session, or of a kept one.
    pub(crate) fn config(&self, kept: Option<Kept>) -> Result<Config> {
        let mut config = Config { model: catalogue(&self.first), ..Config::with_default_options() };
        config.restore_options(&kept.map(|kept| kept.options).unwrap_or_default())?;
        Ok(Config { model: catalogue(config.model.id()), ..config })
    }

    /// The credentials of the provider of `provider/model`.
    ///
    /// # Errors
    ///
    /// The provider is not resolved. Neither the error nor the log has the text of the resolver's error.
    pub fn credentials(&self, value: &str) -> Result<Credentials> {
        let provider = value.split('/').next().unwrap_or_default();
        (self.resolve)(provider).map_err(|failed| {
            let shown: String = provider.escape_debug().take(64).collect();
            (self.log)(format!("the provider `{shown}` is not resolved: {failed}"));
            Error::invalid_request(format!("cannot resolve provider `{shown}`: choose one that is configured"))
        })
    }

    /// A model of the same provider, as `provider/model`.
    pub(crate) fn beside(old: &str, model: &str) -> Result<String> {
        let provider = old.split('/').next().unwrap_or_default();
        let is_whole = !provider.is_empty() && !model.is_empty();
        is_whole.then(|| format!("{provider}/{model}")).ok_or_else(|| Error::invalid_params("the model needs a name"))
    }

    /// The model that a client has asked for instead of another one.
    pub(crate) fn switch(&self, old: &str, new: Choice) -> Result<Choice> {
        let value = match new.id().split_once('/') {
            // The agent's own change.
            _ if new.offers(new.id()) => return Ok(new),
            Some((provider, model)) => Self::beside(&provider.trim().to_lowercase(), model.trim())?,
            None => return Ok(catalogue(&Self::beside(old, new.id().trim())?)),
        };
        self.credentials(&value).map(|_| catalogue(&value))
    }
}

/// The catalogue has one model: the one that answers.
pub(crate) fn catalogue(value: &str) -> Choice {
    let name = value.split_once('/').map_or(value, |(_, model)| model);
    Choice::new([ChoiceValue::new(value, name)])
}
