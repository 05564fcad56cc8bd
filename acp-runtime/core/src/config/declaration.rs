//! The declaration of one option: its presentation to clients, the functions that read and write its value, and the
//! rules by which it depends on other options. Only the derive writes declarations.

use std::borrow::Cow;
use std::fmt;

use crate::config::distinct::is_blank;
use crate::config::key::{Field, FlattenKey, Key};
use crate::config::kind::{Declared, FallsBack, IsBoolean, IsOpen, IsSelect, IsText, Kind};
use crate::config::offer::Offered;
use crate::config::value::{Carried, SWITCH, ValueDeclaration, ValueRef};

/// A rule of an option: a function of the config.
type Rule<C, T> = &'static (dyn Fn(&C) -> T + Sync);

/// The longest value, in bytes, that a client can give an open option. Each full state repeats the value.
pub(crate) const LONGEST_OPEN: usize = 1024;

type OfferRule<C> = &'static (dyn for<'c> Fn(&'c C) -> Offered<'c> + Sync);

/// One option of the config `C`.
pub struct OptionDeclaration<C: 'static> {
    field: &'static dyn Field<C>,
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) category: Option<&'static str>,
    pub(crate) kind: Kind,
    /// Whether the option is also shown as the session's modes. This is for an option of category `mode`.
    pub(crate) mirrored: bool,
    /// Whether a boolean is shown as a select to clients that do not know booleans.
    pub(crate) falls_back: bool,
    /// Whether the option takes values that are not listed.
    pub(crate) open: bool,
    /// The length of the longest path of dependencies from this option to an option without dependencies.
    pub(crate) depth: usize,
    values: Option<OfferRule<C>>,
    default: Option<&'static (dyn Fn() -> Cow<'static, str> + Sync)>,
    shown_if: Option<Rule<C, bool>>,
    pub(crate) reset: Reset<C>,
}

/// The rule for a value that is no longer offered.
pub(crate) enum Reset<C: 'static> {
    /// There is no `reset`: the default, or the first value if the default is not offered either.
    Unsaid,
    /// The default value.
    Default,
    /// The first offered value.
    First,
    /// The value that a function of the author returns.
    By(Rule<C, Cow<'static, str>>),
}

impl<C> Clone for Reset<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Reset<C> {}

impl<C: 'static> OptionDeclaration<C> {
    const fn new(field: &'static dyn Field<C>, name: &'static str, kind: Kind) -> Self {
        Self {
            field,
            name,
            description: None,
            category: None,
            kind,
            mirrored: true,
            falls_back: false,
            open: false,
            depth: 0,
            values: None,
            default: None,
            shown_if: None,
            reset: Reset::Unsaid,
        }
    }

    /// Declares an option whose type decides the kind.
    pub const fn of<V: Declared>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::new(key, name, V::KIND)
    }

    /// Declares an option with `kind = "boolean"`.
    pub const fn boolean<V: IsBoolean>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// Declares an option with `kind = "select"`.
    pub const fn select<V: IsSelect>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// Declares an option with `values(..)`, or with `values = path` and a default in quotes.
    pub const fn text<V: IsText>(
        key: &'static Key<C, V>,
        name: &'static str,
        values: &'static [ValueDeclaration<'static>],
        default: &'static str,
    ) -> Self {
        Self::new(key, name, Kind::Text { values, default })
    }

    /// Sets the text that a client shows beside the option.
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }

    /// Sets the category of the option, which a client may use for its layout.
    pub const fn category(mut self, category: &'static str) -> Self {
        self.category = Some(category);
        self
    }

    /// Sets `mirror = false`.
    pub const fn unmirrored(mut self) -> Self {
        self.mirrored = false;
        self
    }

    /// Sets `fallback = ".."`.
    pub const fn fallback<V: FallsBack>(mut self, select: bool) -> Self {
        self.falls_back = select;
        self
    }

    /// Sets `open`.
    pub const fn open<V: IsOpen>(mut self) -> Self {
        self.open = true;
        self
    }

    /// Sets the depth that follows from `depends_on(..)`.
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets `values = path`.
    pub const fn values(mut self, values: OfferRule<C>) -> Self {
        self.values = Some(values);
        self
    }

    /// Sets the id of the default, for kinds that do not know it.
    pub const fn default(mut self, default: &'static (dyn Fn() -> Cow<'static, str> + Sync)) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets `shown_if = path`.
    pub const fn shown_if(mut self, shown: Rule<C, bool>) -> Self {
        self.shown_if = Some(shown);
        self
    }

    /// Sets `reset = default`.
    pub const fn reset_default(mut self) -> Self {
        self.reset = Reset::Default;
        self
    }

    /// Sets `reset = first`.
    pub const fn reset_first(mut self) -> Self {
        self.reset = Reset::First;
        self
    }

    /// Sets `reset = path`.
    pub const fn reset(mut self, reset: Rule<C, Cow<'static, str>>) -> Self {
        self.reset = Reset::By(reset);
        self
    }

    pub(crate) fn id(&self) -> &'static str {
        self.field.id()
    }

    /// The option's value in `config`.
    pub(crate) fn read<'c>(&self, config: &'c C) -> ValueRef<'c> {
        self.field.read(config)
    }

    /// Writes the value and returns `true` if the option's type has the value. Otherwise `config` is unchanged.
    pub(crate) fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool {
        self.field.write(config, value)
    }

    /// The offered values in the state `config`; none for a boolean. Each id occurs once and is not blank.
    pub(crate) fn offered<'c>(&self, config: &'c C) -> Offered<'c> {
        self.with_own(self.listed(config).distinct(), config)
    }

    /// The offered values, if these are listed. An open option also offers the value that it has.
    pub(crate) fn with_own<'c>(&self, distinct: Offered<'c>, config: &'c C) -> Offered<'c> {
        if !self.open {
            return distinct;
        }
        match self.read(config) {
            ValueRef::Id(id) => distinct.and(id),
            ValueRef::Boolean(_) => distinct,
        }
    }

    /// The values as the author's function lists them. They may contain mistakes.
    pub(crate) fn listed<'c>(&self, config: &'c C) -> Offered<'c> {
        if let Some(values) = self.values {
            return values(config);
        }
        match self.kind {
            Kind::Boolean => Offered::Declared(&[]),
            Kind::Select(values) | Kind::Text { values, .. } => Offered::Declared(values),
            Kind::Choice => match self.field.carried(config) {
                Some(values) => Offered::Carried(values),
                None => Offered::Declared(&[]),
            },
        }
    }

    /// Whether the option's list can differ between two states.
    pub(crate) fn offers_vary(&self) -> bool {
        self.open || self.values.is_some() || matches!(self.kind, Kind::Choice)
    }

    /// Whether the option is shown in the state `config`. An option without values is not shown.
    pub(crate) fn is_shown(&self, config: &C) -> bool {
        self.may_be_shown(config) && (!self.offers_vary() || self.offered(config).len() > 0)
    }

    /// Whether the option is shown in the state `config` if it has values then.
    pub(crate) fn may_be_shown(&self, config: &C) -> bool {
        self.shown_if.is_none_or(|shown| shown(config))
    }

    /// The id of the default. `None` if only the value itself knows it.
    pub(crate) fn default_id<'c>(&self, config: &'c C) -> Option<Cow<'c, str>> {
        match (self.default, self.kind, self.field.carried(config)) {
            (Some(default), ..) => Some(default()),
            (None, Kind::Text { default, .. }, _) => Some(Cow::Borrowed(default)),
            (None, _, Some(carried)) => Some(Cow::Borrowed(carried.initial())),
            (None, ..) => None,
        }
    }

    /// Whether the option is a select.
    pub(crate) fn is_select(&self) -> bool {
        !matches!(self.kind, Kind::Boolean)
    }

    /// Whether a client may ask for `value` in the state `config`.
    pub(crate) fn offers(&self, config: &C, value: ValueRef<'_>) -> bool {
        match value {
            ValueRef::Boolean(_) => !self.is_select(),
            ValueRef::Id(id) => self.takes(id) || self.offered(config).contains(id),
        }
    }

    /// Whether the option is open, and a client may ask for this value.
    pub(super) fn takes(&self, id: &str) -> bool {
        self.open && !is_blank(id) && id.len() <= LONGEST_OPEN
    }

    /// Whether the option can hold a value that is not offered.
    pub(crate) fn may_be_illegal(&self) -> bool {
        // For all other kinds, the type only has values that are offered.
        self.offers_vary() || matches!(self.kind, Kind::Text { .. })
    }

    /// The values of a boolean that falls back to a select, for clients that do not know booleans.
    pub(crate) fn switch(&self) -> Option<Offered<'static>> {
        self.falls_back.then_some(Offered::Declared(SWITCH))
    }

    /// The same option, for a config that contains this option's struct as a field.
    pub(super) fn lift<D: 'static>(&'static self, group: FlattenKey<D, C>) -> OptionDeclaration<D> {
        let Self { name, description, category, kind, mirrored, falls_back, open, depth, default, reset, .. } = *self;
        let values = self.values.map(|values| -> OfferRule<D> { kept(move |config: &D| values(group.get(config))) });
        let shown_if = self.shown_if.map(|shown| -> Rule<D, bool> { kept(move |config: &D| shown(group.get(config))) });
        OptionDeclaration {
            field: kept(Lifted { group, field: self.field }),
            name,
            description,
            category,
            kind,
            mirrored,
            falls_back,
            open,
            depth,
            values,
            default,
            shown_if,
            reset: match reset {
                Reset::Unsaid => Reset::Unsaid,
                Reset::Default => Reset::Default,
                Reset::First => Reset::First,
                Reset::By(reset) => Reset::By(kept(move |config: &D| reset(group.get(config)))),
            },
        }
    }
}

/// Leaks the value. The table of a type is made once and is never dropped, like the constants in it.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// The key of an option within a flattened struct.
struct Lifted<C: 'static, G: 'static> {
    group: FlattenKey<C, G>,
    field: &'static dyn Field<G>,
}

impl<C, G> Field<C> for Lifted<C, G> {
    fn id(&self) -> &'static str {
        self.field.id()
    }

    fn read<'c>(&self, config: &'c C) -> ValueRef<'c> {
        self.field.read(self.group.get(config))
    }

    fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool {
        self.field.write(self.group.get_mut(config), value)
    }

    fn carried<'c>(&self, config: &'c C) -> Option<&'c dyn Carried> {
        self.field.carried(self.group.get(config))
    }
}

impl<C> fmt::Debug for OptionDeclaration<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, name, category, kind, .. } = self;
        let mut shown = f.debug_struct("OptionDeclaration");
        let shown = shown.field("id", &field.id()).field("name", name).field("category", category).field("kind", kind);
        shown.finish_non_exhaustive()
    }
}
