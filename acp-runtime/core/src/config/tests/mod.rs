//! The behaviour of a session's config, as a client sees it. `behaviour` has single cases, and `properties` runs them
//! in any order. This file has their common parts: a config with every kind of option, and a client that records its
//! messages.

mod behaviour;
mod catalogue;
mod for_client;
mod hooks;
mod interleavings;
mod kept;
mod large;
mod lists;
mod properties;
mod rich;

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::config::mode;
use crate::config::publish::{ClientView, Publish, session_config_options};
use crate::config::shown::{FullState, ShownOption};
use crate::config::state::ConfigState;
use crate::config::table::table;
use crate::values::{SessionConfigOption, SessionModeState};
use crate::{ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
#[select_value(crate = crate)]
pub(super) enum Mode {
    /// Asks first.
    #[default]
    Ask,
    Code,
    ReadOnly,
}

#[derive(SelectValue, Clone, Copy, PartialEq, Debug)]
#[select_value(crate = crate)]
pub(super) enum Model {
    #[select_value(group = "Small models")]
    Fast,
    #[select_value(group = "Large models", name = "The smart one")]
    Smart,
    #[select_value(group = "Small models")]
    Tiny,
}

#[derive(ConfigOptions, Clone, PartialEq, Debug)]
#[config_option(crate = crate)]
pub(super) struct Config {
    /// Which model
    /// answers.
    #[config_option(category = "model", default = Model::Smart)]
    pub(super) model: Model,
    #[config_option(category = "mode", id = "permission-mode")]
    pub(super) mode: Mode,
    #[config_option(values("1" = "Once", "2"), default = "1", category = "_acme")]
    pub(super) times: String,
    #[config_option(default = false)]
    pub(super) brave: bool,
}

impl Config {
    pub(super) fn start() -> Self {
        Self::initial().unwrap()
    }
}

/// A client that knows booleans.
pub(super) const FULL: ClientView = ClientView { boolean: true };
/// A client that does not know booleans.
pub(super) const PLAIN: ClientView = ClientView { boolean: false };

/// The messages to a client, in order.
#[derive(Debug)]
pub(super) struct Client {
    view: ClientView,
    told: Mutex<Vec<Told>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Told {
    Options(Vec<SessionConfigOption>),
    Mode(String),
    Answer(Vec<SessionConfigOption>),
}

impl Client {
    pub(super) fn new(view: ClientView) -> Self {
        Self { view, told: Mutex::new(Vec::new()) }
    }

    pub(super) fn tell(&self, told: Told) {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push(told);
    }

    /// The answer to `session/set_config_option`, read from the wire.
    pub(super) fn answer(&self, state: FullState<'_>) {
        self.tell(Told::Answer(read(&state.options)));
    }

    /// The messages since the last call.
    pub(super) fn take(&self) -> Vec<Told> {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The messages on the wire, as a client reads them.
fn read(options: &[ShownOption<'_>]) -> Vec<SessionConfigOption> {
    serde_json::from_value(serde_json::to_value(options).unwrap()).unwrap()
}

/// The answer to a request that opens a session.
pub(super) trait Opens {
    /// The full state for `view`; `None` if there are no options at all.
    fn options(&self, view: ClientView) -> Option<Vec<SessionConfigOption>>;

    fn modes(&self) -> Option<SessionModeState>;
}

impl<C: crate::config::ConfigOptions> Opens for ConfigState<C> {
    fn options(&self, view: ClientView) -> Option<Vec<SessionConfigOption>> {
        (!table::<C>().is_empty()).then(|| session_config_options(&*self.current(), view))
    }

    fn modes(&self) -> Option<SessionModeState> {
        mode::state(&*self.current())
    }
}

impl Publish for Client {
    fn options<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>) {
        if let Some(state) = changed(self.view) {
            self.tell(Told::Options(read(&state.options)));
        }
    }

    fn mode(&self, id: &str) {
        self.tell(Told::Mode(id.to_owned()));
    }

    fn view(&self) -> ClientView {
        self.view
    }
}

/// The ids and values of a full state.
pub(super) fn values(options: &[SessionConfigOption]) -> Value {
    let options = serde_json::to_value(options).unwrap();
    let pairs = options.as_array().unwrap().iter().map(|option| json!([option["id"], option["currentValue"]]));
    pairs.collect()
}
