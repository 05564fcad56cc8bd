//! The declaration of a config: the trait that the derive implements.

use std::collections::BTreeMap;

use crate::config::kept;
use crate::config::resolve::resolve;
use crate::config::table::{Entries, Flattened};
use crate::store::KeptOption;
use crate::values::SessionConfigId;
use crate::wire::Result;

/// The config of a session: a struct whose fields are options. The client shows these options to the user.
///
/// `#[derive(ConfigOptions)]` implements this trait. The fields' order is the order of display, and for the protocol it
/// is the order of priority. `#[acp_agent]` on a struct does the same for the fields with `#[config_option]`.
///
/// A field is a `bool`, an enum with [`SelectValue`](crate::SelectValue), a `String` with its values, or a
/// [`Choice`](crate::Choice). The field's doc comment is the option's description, with its lines joined to paragraphs.
/// If a macro writes the doc comment (`#[doc = include_str!("model.md")]`), its text is shown unchanged. The
/// [reference](crate::config#reference) lists every key of `#[config_option(..)]`.
///
/// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options).
///
/// ```
/// use acp_runtime::{ConfigOptions, SelectValue};
///
/// #[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
/// enum Model {
///     /// Quick answers, small context.
///     #[default]
///     Fast,
///     Smart,
/// }
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     /// Which model answers.
///     #[config_option(category = "model")]
///     model: Model,
///     #[config_option(values("1" = "Once", "2" = "Twice"), default = "1")]
///     times: String,
///     #[config_option(default = false)]
///     brave: bool,
/// }
///
/// let config = Config::with_default_options();
/// assert_eq!(config.model, Model::Fast);
/// assert_eq!((config.times.as_str(), config.brave), ("1", false));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of config options",
    label = "lacks `#[derive(ConfigOptions)]`",
    note = "help: put `#[derive(ConfigOptions, Clone)]` on `struct {Self}`"
)]
pub trait ConfigOptions: Entries + Send + Sync {
    /// The config with every option at its default. `None` for an agent that is its own config and has fields beside
    /// its options, because these fields have no default.
    fn initial() -> Option<Self> {
        Self::defaults()
    }

    /// The values of all options by their ids, as a [store](crate::store) keeps them.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// fn keep(session: &SessionHandle<Config>) -> Result<String> {
    ///     Ok(serde_json::to_string(&session.config().kept_options())?)
    /// }
    /// # let config = Config::with_default_options();
    /// # assert_eq!(serde_json::to_string(&config.kept_options())?, r#"{"brave":false}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    fn kept_options(&self) -> BTreeMap<SessionConfigId, KeptOption> {
        kept::kept(self)
    }

    /// Puts kept values back, on the options that a session starts with. Returns the ids of the values that are dropped,
    /// because this version of the agent does not have the option, or no longer offers the value. Such an option has the
    /// value that it starts with, or is reset by its rule `reset` if that value is not offered either.
    ///
    /// An option is restored after the options that it depends on. If it offers no value at all, its list is not known
    /// yet, as that of a [`Choice`](crate::Choice) which waits for [`offer`](crate::Choice::offer). Then the kept value
    /// stays until there is a list.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// fn restore(kept: &str) -> Result<Config> {
    ///     let mut config = Config::with_default_options();
    ///     let dropped = config.restore_options(&serde_json::from_str(kept)?)?;
    ///     for option in dropped {
    ///         eprintln!("the value of the option `{option}` is no longer offered");
    ///     }
    ///     Ok(config)
    /// }
    /// # assert!(restore(r#"{"brave":true,"model":"of an earlier version"}"#)?.brave);
    /// # Ok::<(), acp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The functions of the options break their contract, as [`check_options`](crate::testing::check_options) would
    /// report. Then the options stay as they were.
    fn restore_options(&mut self, kept: &BTreeMap<SessionConfigId, KeptOption>) -> Result<Vec<SessionConfigId>> {
        let mut draft = self.snapshot();
        let dropped = kept::restore(&mut draft, kept)?;
        *self = draft;
        Ok(dropped)
    }

    /// The config as a session starts with it: a value that is not offered is reset, for example in a config that was
    /// stored, or after a new list was offered. A handler that opens a session need not call this function. Call it if you
    /// pass the options to another part of the agent before the session is open.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// #[derive(ConfigOptions, Clone)]
    /// struct Config {
    ///     #[config_option(default = Choice::default())]
    ///     model: Choice,
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// let mut config = Config::with_default_options();
    /// config.model.offer(["small", "large"]);
    /// assert_eq!(config.settled()?.model.id(), "small");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// A function at `reset = path` returns a value that is not offered.
    fn settled(mut self) -> Result<Self> {
        resolve(None, &mut self)?;
        Ok(self)
    }

    /// A copy for another session or for a reader.
    #[doc(hidden)]
    fn snapshot(&self) -> Self {
        self.copied()
    }
}

/// The parts of a flattened struct. If the struct has a mistake, the macro has reported it, and the compiler cannot
/// evaluate this call.
pub const fn flattened<G: ConfigOptions>() -> Flattened<G> {
    let _ = G::OPTIONS;
    Flattened { outline: &G::OUTLINE, initial: G::initial, table: G::table }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that is its own config. Its marked fields are the options.
    #[derive(Clone, crate::__private::AgentOptions)]
    #[acp_crate(crate)]
    struct Echo {
        calls: u32,
        /// Answer in upper case.
        #[config_option(kind = "boolean", default = false)]
        shout: bool,
        #[config_option(values("1" = "Once", "2" = "Twice"), default = "1")]
        times: String,
        log: Vec<String>,
    }

    #[derive(Clone, crate::__private::AgentOptions)]
    #[acp_crate(crate)]
    struct Pair(u8, String);

    #[derive(Clone, crate::__private::AgentOptions)]
    #[acp_crate(crate)]
    struct Nothing;

    #[test]
    fn unmarked_fields_of_an_agent_are_parameters_in_order() {
        let mut echo = Echo::with_default_options(3, vec!["a".into()]);
        let ids: Vec<_> = Echo::table().iter().map(|option| option.id()).collect();
        assert_eq!(ids, ["shout", "times"]);
        assert_eq!((echo.calls, echo.log.len(), echo.shout, echo.times.as_str()), (3, 1, false, "1"));
        assert!(Echo::initial().is_none(), "`calls` has no default");
        Echo::SHOUT.set(&mut echo, true);
        assert!(echo.snapshot().shout);
    }

    #[test]
    fn agents_need_no_options() {
        let Pair(number, text) = Pair::with_default_options(1, "b".into()).snapshot();
        assert_eq!((number, text.as_str()), (1, "b"));
        assert!(Pair::OPTIONS.is_empty() && Pair::initial().is_none());
        assert!(Nothing::OPTIONS.is_empty() && Nothing::initial().is_some());
    }
}
