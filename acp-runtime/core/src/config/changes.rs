//! A whole change of a config, for the hook that sees it.

use std::fmt;
use std::sync::Arc;

use crate::config::hooks::Change;
use crate::config::key::OptionKey;
use crate::config::option::ConfigOptions;
use crate::config::table::table;
use crate::config::value::OptionValue;

/// A change of a session's options as a whole: the parameter of a function with `#[on_change]`, without an option.
///
/// The function runs once for each change of the options, after the functions of single options, before the change takes
/// effect. Use it where several options are one operation of the agent:
///
/// ```
/// use acp_runtime::{config::Changes, prelude::*};
///
/// # #[derive(Clone, Default)] struct Core;
/// # impl Core { async fn configure(&self, _model: &str, effort: &str) -> Result<String> { Ok(effort.to_owned()) } }
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     #[config_option(values("fast", "smart"), default = "fast")]
///     model: String,
///     #[config_option(values("low", "high"), default = "low")]
///     effort: String,
///     #[config_option(default = false)]
///     brave: bool,
/// }
///
/// #[acp_agent(config = Config, shared = Core)]
/// struct Coder;
///
/// #[acp_agent]
/// impl Coder {
///     async fn prompt(&self) -> StopReason {
///         StopReason::EndTurn
///     }
///
///     #[on_change]
///     async fn configure(&self, Shared(core): Shared<Core>, changes: Changes<Config>, config: &mut Config) -> Result<()> {
///         if changes.changed(Config::MODEL).is_some() || changes.changed(Config::EFFORT).is_some() {
///             // The core may grant less than the user wants. If it fails, the options stay as they were.
///             config.effort = core.configure(&config.model, &config.effort).await?;
///         }
///         Ok(())
///     }
/// }
/// # let _ = Coder;
/// ```
pub struct Changes<C> {
    before: Arc<C>,
    after: Arc<C>,
}

impl<C: ConfigOptions> Changes<C> {
    pub(crate) fn new(before: Arc<C>, after: Arc<C>) -> Self {
        Self { before, after }
    }

    /// The options in force.
    pub fn before(&self) -> &C {
        &self.before
    }

    /// The options as they will be if the function does not change them.
    pub fn after(&self) -> &C {
        &self.after
    }

    /// The change of one option; `None` if its value stays.
    pub fn changed<K: OptionKey<C>>(&self, key: K) -> Option<Change<K::Value>> {
        let (old, new) = (key.get(&self.before), key.get(&self.after));
        (old.show() != new.show()).then(|| Change { old: old.copy(), new: new.copy() })
    }

    /// The ids of the options whose values change, in the order of the config's fields. Options that the client does not see
    /// are among them.
    pub fn ids(&self) -> impl Iterator<Item = &'static str> {
        let differs = |option: &&crate::config::declaration::OptionDeclaration<C>| {
            option.read(&self.before) != option.read(&self.after)
        };
        table::<C>().iter().filter(differs).map(|option| option.id())
    }
}

impl<C: ConfigOptions> fmt::Debug for Changes<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Changes").field(&self.ids().collect::<Vec<_>>()).finish()
    }
}
