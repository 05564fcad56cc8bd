//! The options of agents that need modes, but whose tests are about other things.

use acp_runtime::prelude::*;

/// The mode of a session.
#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
pub enum Mode {
    /// The mode of a new session.
    #[default]
    Ask,
    /// The other mode.
    Code,
}

/// One option, the mode.
#[derive(ConfigOptions, Clone)]
pub struct Config {
    #[config_option(category = "mode")]
    mode: Mode,
}
