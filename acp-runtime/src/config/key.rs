//! The typed name of an option.

use crate::config::value::{OptionValue, ValueRef};

/// The name of one option of the config `C`, with a value of type `V`.
///
/// `#[derive(ConfigOptions)]` writes one for each field, an associated constant with the field's name in capitals, so a
/// typo does not compile.
///
/// ```
/// use acp_runtime::ConfigOptions;
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     #[config_option(default = false)]
///     brave: bool,
/// }
///
/// let mut config = Config::initial().expect("every field is an option");
/// Config::BRAVE.set(&mut config, true);
/// assert!(*Config::BRAVE.get(&config));
/// assert_eq!(Config::BRAVE.id(), "brave");
/// ```
#[derive(Debug)]
pub struct Key<C, V> {
    id: &'static str,
    get: fn(&C) -> &V,
    get_mut: fn(&mut C) -> &mut V,
}

impl<C, V> Key<C, V> {
    #[doc(hidden)]
    pub const fn new(id: &'static str, get: fn(&C) -> &V, get_mut: fn(&mut C) -> &mut V) -> Self {
        Self { id, get, get_mut }
    }

    /// The option's id on the wire.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The option's value in `config`.
    pub fn get<'c>(&self, config: &'c C) -> &'c V {
        (self.get)(config)
    }

    /// Writes the option's value in `config`. A session's own config changes by `update_config` only.
    pub fn set(&self, config: &mut C, value: V) {
        *(self.get_mut)(config) = value;
    }
}

impl<C, V> Clone for Key<C, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, V> Copy for Key<C, V> {}

/// A key whose value's type is forgotten: what the option table holds.
pub(crate) trait Field<C>: Sync {
    fn id(&self) -> &'static str;
    fn read<'c>(&self, config: &'c C) -> ValueRef<'c>;
    /// Whether the option's type has the value; `config` is unchanged otherwise.
    fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool;
}

impl<C, V: OptionValue> Field<C> for Key<C, V> {
    fn id(&self) -> &'static str {
        self.id
    }

    fn read<'c>(&self, config: &'c C) -> ValueRef<'c> {
        self.get(config).show()
    }

    fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool {
        (self.get_mut)(config).write(value)
    }
}
