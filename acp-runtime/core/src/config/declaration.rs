//! One option as declared: what a client is shown of it, how its value is read and written, and the rules by which it
//! depends on others. Written by the derive only.

use std::borrow::Cow;
use std::fmt;

use crate::config::key::{Field, FlattenKey, Key};
use crate::config::offer::Offered;
use crate::config::value::{Declared, FallsBack, IsBoolean, IsSelect, IsText, SWITCH, ValueDeclaration, ValueRef};

/// A rule of an option: what follows from the other options.
type Rule<C, T> = &'static (dyn Fn(&C) -> T + Sync);
type OfferRule<C> = &'static (dyn for<'c> Fn(&'c C) -> Offered<'c> + Sync);

/// One option of the config `C`.
pub struct OptionDeclaration<C: 'static> {
    field: &'static dyn Field<C>,
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) category: Option<&'static str>,
    pub(crate) kind: Kind,
    /// Whether an option of category `mode` is shown as the session's modes, too.
    pub(crate) mirrored: bool,
    /// Whether a boolean is a select to clients that know no booleans.
    pub(crate) falls_back: bool,
    /// How many options stand between this one and those that depend on nothing, at most.
    pub(crate) depth: usize,
    values: Option<OfferRule<C>>,
    default: Option<&'static (dyn Fn() -> Cow<'static, str> + Sync)>,
    shown_if: Option<Rule<C, bool>>,
    pub(crate) reset: Reset<C>,
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
    /// A value that carries its list.
    Choice,
}

/// What becomes of a value that is no longer offered.
pub(crate) enum Reset<C: 'static> {
    /// The default, or the first when that is not offered either.
    Unsaid,
    /// The default.
    Default,
    /// The first.
    First,
    /// What a function of the author's gives.
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
            depth: 0,
            values: None,
            default: None,
            shown_if: None,
            reset: Reset::Unsaid,
        }
    }

    /// The kind follows from the type.
    pub const fn of<V: Declared>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::new(key, name, V::KIND)
    }

    /// `kind = "boolean"` was written.
    pub const fn boolean<V: IsBoolean>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// `kind = "select"` was written.
    pub const fn select<V: IsSelect>(key: &'static Key<C, V>, name: &'static str) -> Self {
        Self::of(key, name)
    }

    /// `values(..)` was written, or `values = path` with a default in quotes.
    pub const fn text<V: IsText>(
        key: &'static Key<C, V>,
        name: &'static str,
        values: &'static [ValueDeclaration<'static>],
        default: &'static str,
    ) -> Self {
        Self::new(key, name, Kind::Text { values, default })
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

    /// `mirror = false`.
    pub const fn unmirrored(mut self) -> Self {
        self.mirrored = false;
        self
    }

    /// `fallback = ".."`.
    pub const fn fallback<V: FallsBack>(mut self, select: bool) -> Self {
        self.falls_back = select;
        self
    }

    /// `depends_on(..)`.
    pub const fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// `values = path`.
    pub const fn values(mut self, values: OfferRule<C>) -> Self {
        self.values = Some(values);
        self
    }

    /// The id of the default, where the kind does not know it.
    pub const fn default(mut self, default: &'static (dyn Fn() -> Cow<'static, str> + Sync)) -> Self {
        self.default = Some(default);
        self
    }

    /// `shown_if = path`.
    pub const fn shown_if(mut self, shown: Rule<C, bool>) -> Self {
        self.shown_if = Some(shown);
        self
    }

    /// `reset = default`.
    pub const fn reset_default(mut self) -> Self {
        self.reset = Reset::Default;
        self
    }

    /// `reset = first`.
    pub const fn reset_first(mut self) -> Self {
        self.reset = Reset::First;
        self
    }

    /// `reset = path`.
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

    /// Whether the option's type has the value; `config` is unchanged otherwise.
    pub(crate) fn write(&self, config: &mut C, value: ValueRef<'_>) -> bool {
        self.field.write(config, value)
    }

    /// The values to select from while `config` is what it is; none for a boolean. Each id is there once, and not blank.
    pub(crate) fn offered<'c>(&self, config: &'c C) -> Offered<'c> {
        self.listed(config).distinct()
    }

    /// The same as the author's function lists them, which may be wrong.
    pub(crate) fn listed<'c>(&self, config: &'c C) -> Offered<'c> {
        if let Some(values) = self.values {
            return values(config);
        }
        match self.kind {
            Kind::Boolean => Offered::Declared(&[]),
            Kind::Select(values) | Kind::Text { values, .. } => Offered::Declared(values),
            Kind::Choice => match self.field.carried(config) {
                Some((values, _)) => Offered::Carried(values),
                None => Offered::Declared(&[]),
            },
        }
    }

    /// Whether its list may differ from one state to the next.
    pub(crate) fn offers_vary(&self) -> bool {
        self.values.is_some() || matches!(self.kind, Kind::Choice)
    }

    /// Whether it is there at all while `config` is what it is.
    pub(crate) fn is_shown(&self, config: &C) -> bool {
        let filled = || self.field.carried(config).is_none_or(|(values, _)| !values.is_empty());
        self.shown_if.is_none_or(|shown| shown(config)) && (self.values.is_some() || filled())
    }

    /// The default, if anything but the config's own knows it.
    pub(crate) fn default_id<'c>(&self, config: &'c C) -> Option<Cow<'c, str>> {
        match (self.default, self.kind, self.field.carried(config)) {
            (Some(default), ..) => Some(default()),
            (None, Kind::Text { default, .. }, _) => Some(Cow::Borrowed(default)),
            (None, _, Some((_, initial))) => Some(Cow::Borrowed(initial)),
            (None, ..) => None,
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
            ValueRef::Id(id) => self.offered(config).contains(id),
        }
    }

    /// Whether its value may be one that is not offered.
    pub(crate) fn may_be_illegal(&self) -> bool {
        // The types of the others hold nothing else.
        self.offers_vary() || matches!(self.kind, Kind::Text { .. })
    }

    /// A boolean as a client without booleans sees it, when it falls back to a select.
    pub(crate) fn switch(&self) -> Option<Offered<'static>> {
        self.falls_back.then_some(Offered::Declared(SWITCH))
    }

    /// The same option of a config that holds this one's.
    pub(super) fn lift<D: 'static>(&'static self, group: FlattenKey<D, C>) -> OptionDeclaration<D> {
        let Self { name, description, category, kind, mirrored, falls_back, depth, default, reset, .. } = *self;
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

/// Tables are made once a type and never given up, as the constants are that they are made of.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

/// A field of a struct that is itself a field.
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

    fn carried<'c>(&self, config: &'c C) -> Option<(&'c [super::choice::ChoiceValue], &'c str)> {
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
