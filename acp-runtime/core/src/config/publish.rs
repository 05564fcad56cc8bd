//! The client's view of a config, and its output. The view is always the full state, because the protocol has no
//! partial state.

use crate::config::declaration::OptionDeclaration;
use crate::config::offer::Offered;
use crate::config::shown::{FullState, ShownKind, ShownOption, ShownValues};
use crate::config::table::{Entries, Row, table};
use crate::config::value::ValueRef;
use crate::values::{ClientCapabilities, SessionConfigOption};

/// The kinds of options that this client can show, by its capabilities at `initialize`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ClientView {
    /// Whether the client knows boolean options. If not, the runtime must not send it one.
    pub(crate) boolean: bool,
}

/// The receiver of committed changes. The connection implements it for a session.
pub(crate) trait Publish {
    /// Tells the client all current options, after the earlier messages, if `changed` has some for its view. This function does not
    /// wait.
    fn options<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>);

    /// Tells the client the current mode, after the earlier messages. This function does not wait.
    fn mode(&self, id: &str);

    /// The view of the client that gets the messages.
    fn view(&self) -> ClientView;

    /// As [`options`](Self::options), of a change whose answer tells them to the client that has asked for it. Others may follow
    /// the session.
    fn options_of_others<'c>(&self, changed: &dyn Fn(ClientView) -> Option<FullState<'c>>) {
        let _ = changed;
    }

    /// As [`mode`](Self::mode), of a change by a client that knows the mode.
    fn mode_of_others(&self, id: &str) {
        let _ = id;
    }
}

impl ClientView {
    pub(crate) fn of(capabilities: &ClientCapabilities) -> Self {
        let options = capabilities.session.as_ref().and_then(|session| session.config_options.as_ref());
        Self { boolean: options.is_some_and(|options| options.boolean.is_some()) }
    }

    /// Whether this client can show the option.
    pub(crate) fn sees<C>(self, option: &OptionDeclaration<C>) -> bool {
        self.boolean || option.is_select() || option.falls_back
    }

    /// Whether this client gets the option in the state `config`.
    fn shown<C>(self, option: &OptionDeclaration<C>, config: &C) -> bool {
        self.sees(option) && option.is_shown(config)
    }

    /// The values on and off of a boolean that this client sees as a select. `None` for all other options.
    pub(crate) fn switch<C>(self, option: &OptionDeclaration<C>) -> Option<Offered<'static>> {
        if self.boolean { None } else { option.switch() }
    }
}

/// The options of `config` that the client with this view gets, in the order of display.
pub(crate) fn shown<C: Entries>(config: &C, view: ClientView) -> impl Iterator<Item = &'static OptionDeclaration<C>> {
    table::<C>().iter().filter(move |option| view.shown(option, config))
}

/// The full state of `config`. The author's functions must have run before.
pub(crate) fn options<C: Entries>(config: &C, view: ClientView) -> FullState<'_> {
    let mut options = Vec::with_capacity(table::<C>().len());
    options.extend(table::<C>().rows().filter_map(|row| one(row, config, view)));
    let members = C::MEMBERS.map(|members| Box::new(members(config)));
    FullState { options, members }
}

/// The full state in the protocol's own types.
pub(crate) fn session_config_options<C: Entries>(config: &C, view: ClientView) -> Vec<SessionConfigOption> {
    options(config, view).options.into_iter().map(SessionConfigOption::from).collect()
}

/// Whether the two configs look different to a client with this view.
pub(crate) fn differ<C: Entries>(before: &C, after: &C, view: ClientView) -> bool {
    table::<C>().iter().any(|option| view.sees(option) && differs(option, before, after))
}

fn differs<C>(option: &OptionDeclaration<C>, before: &C, after: &C) -> bool {
    let has_other_value = || option.read(before) != option.read(after);
    match (option.may_be_shown(before), option.may_be_shown(after)) {
        (true, true) if !option.offers_vary() => has_other_value(),
        (true, true) => {
            let (old, new) = (option.offered(before), option.offered(after));
            // Without values, the option is not shown.
            old != new || (new.len() > 0 && has_other_value())
        }
        (false, false) => false,
        (true, false) => option.is_shown(before),
        (false, true) => option.is_shown(after),
    }
}

/// One option as the client with this view gets it; `None` if the option is not shown.
fn one<'c, C>(row: &'static Row<C>, config: &'c C, view: ClientView) -> Option<ShownOption<'c>> {
    let option = row.get();
    if !view.sees(option) || !option.may_be_shown(config) {
        return None;
    }
    let select = |current_value, options| ShownKind::Select { current_value, options };
    let kind = match (option.read(config), view.switch(option)) {
        (ValueRef::Boolean(value), None) => ShownKind::Boolean { current_value: value },
        (ValueRef::Boolean(value), Some(switch)) => select(if value { "on" } else { "off" }, ShownValues::new(switch)),
        (ValueRef::Id(id), _) => {
            let offered = option.offered(config);
            if offered.len() == 0 {
                return None;
            }
            let values = ShownValues::new(offered).written(row.list(config));
            #[cfg(feature = "v2")]
            let values = values.grouped(row.grouped());
            select(id, values)
        }
    };
    let OptionDeclaration { name, description, category, .. } = *option;
    Some(ShownOption { id: option.id(), name, description, category, kind })
}
