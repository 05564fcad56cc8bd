//! The typed names of options.

use crate::config::value::{Carried, OptionValue, ValueRef};

/// The name of one option of the config `C`. `V` is the type of the option's value.
///
/// `#[derive(ConfigOptions)]` writes one for each field: an associated constant with the field's name in capitals. So a
/// wrong name does not compile. Use keys to read, set and watch the options of a session: see
/// [`SessionHandle::set`](crate::session::SessionHandle::set).
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
/// let mut config = Config::with_default_options();
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

/// The name of a field with `#[config_option(flatten)]`. The field contains the options of another struct.
///
/// ```
/// use acp_runtime::ConfigOptions;
///
/// #[derive(ConfigOptions, Clone)]
/// struct Common {
///     #[config_option(default = false)]
///     brave: bool,
/// }
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     #[config_option(flatten)]
///     common: Common,
/// }
///
/// let mut config = Config::with_default_options();
/// let brave = Config::COMMON.then(Common::BRAVE);
/// brave.set(&mut config, true);
/// assert!(config.common.brave && *brave.get(&config));
/// ```
#[derive(Debug)]
pub struct FlattenKey<C, G> {
    get: fn(&C) -> &G,
    get_mut: fn(&mut C) -> &mut G,
}

/// The name of an option of a flattened struct. [`FlattenKey::then`] makes it. Use it like a [`Key`].
#[derive(Debug)]
pub struct NestedKey<C, G, K> {
    group: FlattenKey<C, G>,
    key: K,
}

/// The name of an option of any config, with the type of the value. As a bound, write [`OptionKey`].
// This trait is separate from `OptionKey`, so that a key of another config is one error. Otherwise each mention of the
// value would be a further error.
pub trait TypedKey {
    /// The type of the option's value.
    type Value: OptionValue;
}

impl<C, V: OptionValue> TypedKey for Key<C, V> {
    type Value = V;
}

impl<C, G, K: TypedKey> TypedKey for NestedKey<C, G, K> {
    type Value = K::Value;
}

/// The name of an option of `C`: a [`Key`], or a [`FlattenKey`] and a key. Use it as the bound of code that is generic
/// over options.
///
/// ```
/// use acp_runtime::{config::OptionKey, prelude::*};
///
/// /// Tells the value of an option from now on, whichever it is.
/// async fn follow<C: ConfigOptions, K: OptionKey<C>>(session: SessionHandle<C>, key: K) -> Result<()>
/// where
///     K::Value: std::fmt::Debug,
/// {
///     let mut option = session.watch(key);
///     while let Some(change) = option.changed().await {
///         session.thought(format!("{} is {:?}", key.id(), change.new)).await?;
///     }
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an option of `{C}`",
    label = "the config is a `{C}`",
    note = "the key of an option is `{C}::` and its field's name in capitals; of a flattened one, `{C}::GROUP.then(..)`"
)]
pub trait OptionKey<C>: TypedKey + Copy + Send + Sync + 'static {
    /// The option's id on the wire.
    fn id(&self) -> &'static str;

    /// The option's value in `config`.
    fn get<'c>(&self, config: &'c C) -> &'c Self::Value;

    /// The option's value in `config`, mutable.
    fn get_mut<'c>(&self, config: &'c mut C) -> &'c mut Self::Value;
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

    /// Writes the option's value in `config`. To change the config of a session, use `update_config` instead.
    pub fn set(&self, config: &mut C, value: V) {
        *(self.get_mut)(config) = value;
    }
}

impl<C, G> FlattenKey<C, G> {
    #[doc(hidden)]
    pub const fn new(get: fn(&C) -> &G, get_mut: fn(&mut C) -> &mut G) -> Self {
        Self { get, get_mut }
    }

    /// The name of an option of the flattened struct.
    pub const fn then<K: OptionKey<G>>(self, key: K) -> NestedKey<C, G, K> {
        NestedKey { group: self, key }
    }

    pub(crate) fn get<'c>(&self, config: &'c C) -> &'c G {
        (self.get)(config)
    }

    pub(crate) fn get_mut<'c>(&self, config: &'c mut C) -> &'c mut G {
        (self.get_mut)(config)
    }
}

impl<C, G, K: OptionKey<G>> NestedKey<C, G, K> {
    /// The option's id on the wire.
    pub fn id(&self) -> &'static str {
        self.key.id()
    }

    /// The option's value in `config`.
    pub fn get<'c>(&self, config: &'c C) -> &'c K::Value
    where
        G: 'c,
    {
        self.key.get(self.group.get(config))
    }

    /// Writes the option's value in `config`. To change the config of a session, use `update_config` instead.
    pub fn set(&self, config: &mut C, value: K::Value) {
        *self.key.get_mut(self.group.get_mut(config)) = value;
    }
}

#[diagnostic::do_not_recommend]
impl<C: 'static, V: OptionValue> OptionKey<C> for Key<C, V> {
    fn id(&self) -> &'static str {
        self.id
    }

    fn get<'c>(&self, config: &'c C) -> &'c V {
        (self.get)(config)
    }

    fn get_mut<'c>(&self, config: &'c mut C) -> &'c mut V {
        (self.get_mut)(config)
    }
}

#[diagnostic::do_not_recommend]
impl<C: 'static, G: 'static, K: OptionKey<G>> OptionKey<C> for NestedKey<C, G, K> {
    fn id(&self) -> &'static str {
        self.key.id()
    }

    fn get<'c>(&self, config: &'c C) -> &'c K::Value {
        self.key.get(self.group.get(config))
    }

    fn get_mut<'c>(&self, config: &'c mut C) -> &'c mut K::Value {
        self.key.get_mut(self.group.get_mut(config))
    }
}

impl<C, V> Clone for Key<C, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, V> Copy for Key<C, V> {}

impl<C, G> Clone for FlattenKey<C, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, G> Copy for FlattenKey<C, G> {}

impl<C, G, K: Copy> Clone for NestedKey<C, G, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, G, K: Copy> Copy for NestedKey<C, G, K> {}

/// A key without the type of its value, for the table of options.
pub(crate) trait Field<C>: Sync {
    fn id(&self) -> &'static str;
    fn read<'c>(&self, config: &'c C) -> ValueRef<'c>;
    /// Writes the value and returns `true` if the option's type has the value. Otherwise `config` is unchanged.
    fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool;
    /// The list in the value itself.
    fn carried<'c>(&self, config: &'c C) -> Option<&'c dyn Carried>;
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

    fn carried<'c>(&self, config: &'c C) -> Option<&'c dyn Carried> {
        self.get(config).carried()
    }
}
