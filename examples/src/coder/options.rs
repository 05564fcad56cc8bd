//! The options of a coder's session, in the order in which clients show them.

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    /// What the agent may do.
    #[config_option(category = "mode")]
    pub(super) mode: Mode,
    /// Which model answers.
    #[config_option(category = "model")]
    pub(super) model: Model,
    /// Run tools without asking first.
    #[config_option(kind = "boolean", default = false)]
    pub(super) brave: bool,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
pub(super) enum Mode {
    /// Edit files.
    #[default]
    Code,
    /// Answer questions, change nothing.
    Ask,
}

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
pub(super) enum Model {
    /// Quick answers, small context.
    #[default]
    Fast,
    /// Slower, deeper reasoning.
    Smart,
}

impl Model {
    /// The model to use if this one is overloaded.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Fast => Self::Smart,
            Self::Smart => Self::Fast,
        }
    }
}

#[cfg(test)]
mod tests {
    use acp_runtime::testing::{check_options, describe};

    use super::*;
    use crate::shown::kept;

    #[test]
    fn what_clients_are_shown() {
        kept("coder.txt", &describe::<Config>());
        assert_eq!(check_options::<Config>().states, 8);
    }
}
