//! The modes of version 1. They are another view of the option of category `mode`.
//!
//! See [Session modes](https://agentclientprotocol.com/protocol/v1/session-modes).

use crate::config::declaration::OptionDeclaration;
use crate::config::option::ConfigOptions;
use crate::config::table::table;
use crate::config::value::ValueRef;
use crate::values::{SessionMode, SessionModeState};

/// The option that is mirrored to the modes. If there is none, the program has no code of the modes.
pub(crate) fn mirrored<C: ConfigOptions>() -> Option<&'static OptionDeclaration<C>> {
    if const { C::OUTLINE.may_have_modes() } { table::<C>().mode() } else { None }
}

/// The option that is mirrored to the modes, if it is shown in the state `config`.
pub(crate) fn option<C: ConfigOptions>(config: &C) -> Option<&'static OptionDeclaration<C>> {
    mirrored::<C>().filter(|option| option.is_shown(config))
}

/// The current mode's id; `None` if there are no modes.
pub(crate) fn current<C: ConfigOptions>(config: &C) -> Option<&str> {
    match option::<C>(config)?.read(config) {
        ValueRef::Id(id) => Some(id),
        ValueRef::Boolean(_) => None,
    }
}

/// The modes in the answer of `session/new`, `session/load` and `session/resume`.
pub(crate) fn state<C: ConfigOptions>(config: &C) -> Option<SessionModeState> {
    let values = option::<C>(config)?.offered(config);
    let modes = values.iter().map(|value| {
        let mut mode = SessionMode::new(value.id, value.name);
        mode.description = value.description.map(str::to_owned);
        mode
    });
    Some(SessionModeState::new(current(config)?, modes.collect::<Vec<_>>()))
}
