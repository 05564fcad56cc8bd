//! What a client is shown of a config, and where it goes. Always the full state: the protocol has no partial one.

use crate::config::option::{ConfigOptions, Kind, OptionDeclaration, table};
use crate::config::value::{ValueDeclaration, ValueRef};
use crate::schema::v1::{
    ClientCapabilities, ConfigOptionUpdate, CurrentModeUpdate, SessionConfigBoolean, SessionConfigKind,
    SessionConfigOption, SessionConfigOptionCategory, SessionConfigSelect, SessionConfigSelectGroup,
    SessionConfigSelectOption, SessionConfigSelectOptions, SessionUpdate,
};

/// What this client can be shown, from its capabilities at `initialize`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Audience {
    /// Whether it knows boolean options; without, they must not appear in any list.
    pub(crate) boolean: bool,
}

/// Where committed changes go. The connection implements it for a session.
pub(crate) trait Publish {
    /// Puts a `session/update` notification behind what was put before, without waiting.
    fn publish(&self, update: SessionUpdate);

    /// Who reads them.
    fn audience(&self) -> Audience;
}

impl Audience {
    pub(crate) fn of(capabilities: &ClientCapabilities) -> Self {
        let options = capabilities.session.as_ref().and_then(|session| session.config_options.as_ref());
        Self { boolean: options.is_some_and(|options| options.boolean.is_some()) }
    }

    /// Whether this client is shown the option.
    pub(crate) fn sees<C>(self, option: &OptionDeclaration<C>) -> bool {
        self.boolean || !matches!(option.kind, Kind::Boolean)
    }
}

/// The declarations that `audience` is shown, in the order of display.
pub(crate) fn shown<C: ConfigOptions>(audience: Audience) -> impl Iterator<Item = &'static OptionDeclaration<C>> {
    table::<C>().iter().filter(move |option| audience.sees(option))
}

/// The full state of `config`.
pub(crate) fn options<C: ConfigOptions>(config: &C, audience: Audience) -> Vec<SessionConfigOption> {
    let mut all = Vec::with_capacity(table::<C>().len());
    all.extend(shown(audience).map(|option| one(option, config)));
    all
}

/// Whether the two would look different to `audience`.
pub(crate) fn differ<C: ConfigOptions>(before: &C, after: &C, audience: Audience) -> bool {
    shown(audience).any(|option| option.read(before) != option.read(after))
}

pub(crate) fn config_option_update<C: ConfigOptions>(config: &C, audience: Audience) -> SessionUpdate {
    SessionUpdate::ConfigOptionUpdate(ConfigOptionUpdate::new(options(config, audience)))
}

pub(crate) fn current_mode_update(mode: &str) -> SessionUpdate {
    SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(mode))
}

fn one<C>(option: &OptionDeclaration<C>, config: &C) -> SessionConfigOption {
    let kind = match option.read(config) {
        ValueRef::Boolean(value) => SessionConfigKind::Boolean(SessionConfigBoolean::new(value)),
        ValueRef::Id(id) => {
            SessionConfigKind::Select(SessionConfigSelect::new(id, select_options(&option.offered(config))))
        }
    };
    let mut shown = SessionConfigOption::new(option.id(), option.name, kind);
    shown.description = option.description.map(str::to_owned);
    shown.category = option.category.map(SessionConfigOptionCategory::from);
    shown
}

fn select_options(values: &[ValueDeclaration<'_>]) -> SessionConfigSelectOptions {
    let grouped = values.iter().any(|value| value.group.is_some());
    if grouped { groups(values).into() } else { values.iter().map(select_option).collect::<Vec<_>>().into() }
}

/// The groups in the order of their first values.
fn groups(values: &[ValueDeclaration<'_>]) -> Vec<SessionConfigSelectGroup> {
    let mut groups: Vec<SessionConfigSelectGroup> = Vec::new();
    for value in values {
        let Some(header) = value.group else { continue };
        match groups.iter_mut().find(|group| group.group.as_str() == header.id) {
            Some(group) => group.options.push(select_option(value)),
            None => groups.push(SessionConfigSelectGroup::new(header.id, header.name, vec![select_option(value)])),
        }
    }
    groups
}

fn select_option(value: &ValueDeclaration<'_>) -> SessionConfigSelectOption {
    let mut shown = SessionConfigSelectOption::new(value.id, value.name);
    shown.description = value.description.map(str::to_owned);
    shown
}
