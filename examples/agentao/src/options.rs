//! The options of a session: the model with its provider (C.8, C.9), and the mode (C.10).

use std::{
    any,
    collections::BTreeMap,
    env, fmt,
    sync::{Arc, Mutex, PoisonError},
};

use acp_runtime::{prelude::*, store::OptionValue, values::SessionConfigId};

/// The options, in the order in which clients show them.
#[derive(ConfigOptions, Clone)]
pub struct Config {
    /// As `provider/model`. A model alone keeps the provider.
    #[config_option(category = "model", default = Choice::default(), open)]
    pub model: Choice,
    /// What the tools may do without a question.
    #[config_option(category = "mode")]
    pub mode: Preset,
}

/// A preset of permissions.
#[derive(SelectValue, Clone, Copy, Default, PartialEq, Debug)]
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

/// The credentials of a provider. They never leave the process but in requests to the provider.
#[derive(Clone)]
pub struct Credentials {
    /// The key.
    pub api_key: String,
    /// The address, if it is not the provider's own.
    pub base_url: Option<String>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// The credentials in force, for all handlers of a session. `None` until the session switches its model.
#[derive(Clone, Default)]
pub struct Live(Arc<Mutex<Option<Credentials>>>);

impl Live {
    pub(crate) fn credentials(&self) -> Option<Credentials> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, credentials: Credentials) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(credentials);
    }
}

/// The type of an error, without the error: its text may hold a key.
type Failed = &'static str;

type Resolve = dyn Fn(&str) -> Result<Credentials, Failed> + Send + Sync;

/// The first model of a session, and the function that finds the credentials of a provider.
pub struct Providers {
    first: String,
    resolve: Box<Resolve>,
    log: Box<dyn Fn(String) + Send + Sync>,
}

impl Providers {
    /// `first` is the model of new sessions, as `provider/model`. `log` gets a line for each provider that is not resolved.
    pub fn new<E>(
        first: impl Into<String>,
        resolve: impl Fn(&str) -> Result<Credentials, E> + Send + Sync + 'static,
        log: impl Fn(String) + Send + Sync + 'static,
    ) -> Self {
        let resolve = move |provider: &str| resolve(provider).map_err(|_| any::type_name::<E>());
        Self { first: first.into(), resolve: Box::new(resolve), log: Box::new(log) }
    }

    /// The provider of the environment: `LLM_PROVIDER`, and `{PREFIX}_API_KEY`, `{PREFIX}_BASE_URL` and `{PREFIX}_MODEL` under its
    /// name. No other provider is resolved.
    pub fn from_env(log: impl Fn(String) + Send + Sync + 'static) -> Self {
        let provider = env::var("LLM_PROVIDER").unwrap_or_else(|_| "openai".to_owned()).trim().to_lowercase();
        let of = move |name: &str, end: &str| env::var(format!("{}_{end}", name.to_uppercase()));
        let first = format!("{provider}/{}", of(&provider, "MODEL").unwrap_or_else(|_| "scripted".to_owned()));
        let resolve = move |name: &str| match name == provider {
            true => Ok(Credentials { api_key: of(name, "API_KEY")?, base_url: of(name, "BASE_URL").ok() }),
            false => Err(env::VarError::NotPresent),
        };
        Self::new(first, resolve, log)
    }

    /// The options of a new session.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::with_default_options();
        config.model = catalogue(&self.first);
        config
    }

    /// The options of a kept session.
    pub(crate) fn config_of(&self, kept: &BTreeMap<SessionConfigId, OptionValue>) -> Result<Config> {
        let mut config = self.config();
        config.restore_options(kept)?;
        config.model = catalogue(config.model.id());
        Ok(config)
    }

    /// The model that a client has asked for instead of another one.
    pub(crate) fn switch(&self, old: &str, new: &str, live: &Live) -> Result<Choice> {
        let Some((provider, model)) = new.split_once('/') else {
            return Ok(catalogue(&self.beside(old, new)?));
        };
        let (provider, model) = (provider.trim().to_lowercase(), model.trim());
        if provider.is_empty() || model.is_empty() {
            return Err(Error::invalid_params(
                "`value` has no provider or no model: write `provider/model`, or the model alone",
            ));
        }
        let credentials = (self.resolve)(&provider).map_err(|failed| {
            (self.log)(format!("the provider `{provider}` is not resolved: {failed}"));
            Error::invalid_request(format!(
                "cannot resolve provider `{provider}`: choose a model of a configured provider"
            ))
        })?;
        live.set(credentials);
        Ok(catalogue(&format!("{provider}/{model}")))
    }

    /// A model of the same provider, as `provider/model`.
    pub(crate) fn beside(&self, old: &str, model: &str) -> Result<String> {
        match (old.split_once('/'), model.trim()) {
            (_, "") => Err(Error::invalid_params("the model has no name: name one")),
            (Some((provider, _)), model) => Ok(format!("{provider}/{model}")),
            (None, model) => Ok(model.to_owned()),
        }
    }
}

/// The catalogue has one model: the one that answers.
fn catalogue(value: &str) -> Choice {
    Choice::new([ChoiceValue::new(value, model_of(value))])
}

/// The model without its provider.
pub(crate) fn model_of(value: &str) -> &str {
    value.split_once('/').map_or(value, |(_, model)| model)
}
