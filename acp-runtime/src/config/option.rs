//! What a declaration is: the options of a config, as a table in the order of its fields.

use std::borrow::Cow;
use std::fmt;

use crate::config::key::{Field, Key};
use crate::config::value::{Declared, IsBoolean, IsSelect, OptionValue, ValueDeclaration, ValueRef};

/// The config of a session: a struct whose every field is an option that the client shows to the user.
///
/// `#[derive(ConfigOptions)]` writes the implementation; the order of the fields is the order of display, which the
/// protocol reads as priority. `#[acp_agent]` on a struct does the same for its fields marked `#[config_option]`.
///
/// A field is a `bool`, an enum with [`SelectValue`](crate::SelectValue), or a `String` with `values(..)`. Its doc comment
/// is the option's description, and `#[config_option(..)]` takes these keys:
///
/// | key | left out |
/// |---|---|
/// | `default = expr`: the value to start with | the enum's `Default`; others need it |
/// | `values("id" = "Label", "id")`: what a `String` selects from | |
/// | `name = "Label"` | the field's name in Title Case |
/// | `category = "mode"`, `"model"`, `"model_config"`, `"thought_level"`, or `"_your_own"` | no category |
/// | `id = ".."`: the name on the wire | the field's name |
/// | `kind = "boolean"` or `"select"` | follows from the type |
///
/// The first select of category `mode` is also shown as the session's modes. On the struct itself, `crate = path` says
/// where this crate is, should it not be `::acp_runtime`.
///
/// Serves <https://agentclientprotocol.com/protocol/v1/session-config-options>.
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
/// let config = Config::initial().expect("every field is an option");
/// assert_eq!(config.model, Model::Fast);
/// assert_eq!((config.times.as_str(), config.brave), ("1", false));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of config options",
    label = "lacks `#[derive(ConfigOptions)]`",
    note = "help: put `#[derive(ConfigOptions, Clone)]` on `struct {Self}`"
)]
pub trait ConfigOptions: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const OPTIONS: &'static [OptionDeclaration<Self>];

    /// Every option at its default. `None` for an agent that is its own config and has fields beside its options: those
    /// have no default.
    fn initial() -> Option<Self>;

    /// A copy for another session or for a reader.
    fn snapshot(&self) -> Self;
}

/// The options of `C` in the order of display.
pub(crate) fn table<C: ConfigOptions>() -> &'static [OptionDeclaration<C>] {
    C::OPTIONS
}

/// One option of the config `C`. Written by the derive only.
pub struct OptionDeclaration<C: 'static> {
    field: &'static dyn Field<C>,
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) category: Option<&'static str>,
    pub(crate) kind: Kind,
}

/// What a client can do with an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Boolean,
    /// A type that has no value beyond these.
    Select(&'static [ValueDeclaration<'static>]),
    /// A string, which may hold what is not offered until it is checked.
    Text { values: &'static [ValueDeclaration<'static>], default: &'static str },
}

impl<C: 'static> OptionDeclaration<C> {
    /// The kind follows from the type.
    pub const fn of<V: Declared>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self { field: key, name, description: None, category: None, kind: V::KIND }
    }

    /// `kind = "boolean"` was written.
    pub const fn boolean<V: IsBoolean>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// `kind = "select"` was written.
    pub const fn select<V: IsSelect>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// `values(..)` was written. That the type is a `String` is said by the default, once.
    pub const fn text<V: OptionValue>(
        key: &'static Key<C, V>,
        name: &'static str,
        values: &'static [ValueDeclaration<'static>],
        default: &'static str,
    ) -> Self {
        Self { field: key, name, description: None, category: None, kind: Kind::Text { values, default } }
    }

    /// The text that a client shows beside the option.
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }

    /// What the option is about, for the client's layout.
    pub const fn category(mut self, category: &'static str) -> Self {
        self.category = Some(category);
        self
    }

    pub(crate) fn id(&self) -> &'static str {
        self.field.id()
    }

    /// The option's value in `config`.
    pub(crate) fn read<'c>(&self, config: &'c C) -> ValueRef<'c> {
        self.field.read(config)
    }

    /// The values to select from while `config` is what it is; none for a boolean.
    pub(crate) fn offered<'c>(&self, _config: &'c C) -> Cow<'c, [ValueDeclaration<'c>]> {
        match self.kind {
            Kind::Boolean => Cow::Borrowed(&[]),
            Kind::Select(values) | Kind::Text { values, .. } => Cow::Borrowed(values),
        }
    }

    /// Whether it has values to select from.
    pub(crate) fn is_select(&self) -> bool {
        !matches!(self.kind, Kind::Boolean)
    }

    /// Whether a client may ask for `value` while `config` is what it is.
    pub(crate) fn offers(&self, config: &C, value: ValueRef<'_>) -> bool {
        match value {
            ValueRef::Boolean(_) => !self.is_select(),
            ValueRef::Id(id) => self.offered(config).iter().any(|value| value.id == id),
        }
    }

    /// Whether the option's value in `config` is one that a client may be shown.
    pub(crate) fn is_legal(&self, config: &C) -> bool {
        match self.kind {
            Kind::Text { .. } => self.offers(config, self.read(config)),
            // The types of the other kinds hold nothing else.
            Kind::Boolean | Kind::Select(_) => true,
        }
    }

    /// Gives the option its default if it holds what a client may not be shown. Returns whether it did.
    pub(crate) fn reset_if_illegal(&self, config: &mut C) -> bool {
        let Kind::Text { default, .. } = self.kind else { return false };
        !self.is_legal(config) && self.write(config, ValueRef::Id(default))
    }

    /// Whether the option's type has the value; `config` is unchanged otherwise.
    pub(crate) fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool {
        self.field.write(config, value)
    }
}

impl<C> fmt::Debug for OptionDeclaration<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, name, description: _, category, kind } = self;
        let mut shown = f.debug_struct("OptionDeclaration");
        shown.field("id", &field.id()).field("name", name).field("category", category).field("kind", kind).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that is its own config: the marked fields are options.
    #[derive(Clone, crate::__private::SmallForm)]
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

    #[derive(Clone, crate::__private::SmallForm)]
    #[acp_crate(crate)]
    struct Pair(u8, String);

    #[derive(Clone, crate::__private::SmallForm)]
    #[acp_crate(crate)]
    struct Nothing;

    #[test]
    fn unmarked_fields_of_an_agent_are_parameters_in_order() {
        let mut echo = Echo::with_default_options(3, vec!["a".into()]);
        let ids: Vec<_> = Echo::OPTIONS.iter().map(OptionDeclaration::id).collect();
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
