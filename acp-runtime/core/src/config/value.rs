//! The types of option fields. For each type: how it is read and written in the protocol's form. A [`Choice`](super::choice)
//! and the [kinds](super::kind) of options have files of their own.

/// The values of a select option: an enum without data. Each variant is one value.
///
/// `#[derive(SelectValue)]` implements this trait. A value's id is its variant in snake case, its label is the variant
/// in Title Case, and its description is the doc comment. `#[select_value(..)]` on a variant overrides these:
///
/// | key | type | left out | effect |
/// |---|---|---|---|
/// | `id = "fast"` | string | the variant in snake case | the id on the wire |
/// | `name = "Fast"` | string | the variant in Title Case | the label |
/// | `group = "Small"` | string | none | the header under which clients list the value; either every variant has a group, or none has |
///
/// See [Session config options](https://agentclientprotocol.com/protocol/v1/session-config-options#configoptionvalue).
///
/// ```
/// use acp_runtime::SelectValue;
///
/// #[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
/// enum Effort {
///     /// Answers at once.
///     Low,
///     #[default]
///     Medium,
///     #[select_value(name = "As long as it takes")]
///     VeryHigh,
/// }
///
/// assert_eq!(Effort::VeryHigh.id(), "very_high");
/// assert_eq!(Effort::VeryHigh.name(), "As long as it takes");
/// assert_eq!(Effort::from_id("low"), Some(Effort::Low));
/// assert_eq!(Effort::ALL.len(), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not list the values of a select",
    label = "lacks `#[derive(SelectValue)]`",
    note = "help: put `#[derive(SelectValue)]` on `enum {Self}`"
)]
pub trait SelectValue: Sized + Send + Sync + 'static {
    /// Every value, in the order of declaration. Clients show the values in this order.
    const ALL: &'static [Self];

    #[doc(hidden)]
    const VALUES: &'static [ValueDeclaration<'static>];

    #[doc(hidden)]
    fn position(&self) -> usize;

    #[doc(hidden)]
    fn at(position: usize) -> Option<Self>;

    /// The value's id on the wire.
    fn id(&self) -> &'static str {
        Self::VALUES[self.position()].id
    }

    /// The value's label.
    fn name(&self) -> &'static str {
        Self::VALUES[self.position()].name
    }

    /// The value with this id; `None` if there is none.
    fn from_id(id: &str) -> Option<Self> {
        Self::at(Self::VALUES.iter().position(|value| value.id == id)?)
    }
}

/// One value of a select, as a client gets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueDeclaration<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) group: Option<Group<'a>>,
}

/// The header above a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Group<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
}

/// The values on and off of a boolean, for clients that do not know boolean options.
pub(crate) const SWITCH: &[ValueDeclaration<'static>] =
    &[ValueDeclaration::new("on", "On"), ValueDeclaration::new("off", "Off")];

impl<'a> ValueDeclaration<'a> {
    /// A value with its id and its label.
    pub const fn new(id: &'a str, name: &'a str) -> Self {
        Self { id, name, description: None, group: None }
    }

    /// Sets the text that a client shows beside the label.
    pub const fn description(mut self, text: &'a str) -> Self {
        self.description = Some(text);
        self
    }

    /// Sets the header above the value.
    pub const fn group(mut self, id: &'a str, name: &'a str) -> Self {
        self.group = Some(Group { id, name });
        self
    }
}

/// A current or requested value, in the form of the protocol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'a> {
    /// The value of a boolean option.
    Boolean(bool),
    /// The value of a select: the id of the selected value.
    Id(&'a str),
}

/// The list in the value of an option, without its data.
pub trait Carried: Send + Sync {
    /// The number of values.
    fn len(&self) -> usize;

    /// The value at a position of the list.
    fn get(&self, position: usize) -> Option<ValueDeclaration<'_>>;

    /// The id of the value that was selected at first.
    fn initial(&self) -> &str;

    /// The place of the list in memory. Two lists in one place are the same.
    fn place(&self) -> *const ();
}

/// A type that can be the value of an option.
///
/// Only `bool`, `String`, [`Choice`](crate::Choice) and enums with [`#[derive(SelectValue)]`](SelectValue) are such types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a config option",
    label = "not an option type",
    note = "an option is a `bool`, an enum with `#[derive(SelectValue)]`, a `String` with `values(..)`, or a `Choice`"
)]
pub trait OptionValue: Sized + Send + Sync + 'static {
    /// The type in which the functions of a dependent option get the value: for `bool` and enums the type itself, for
    /// `String` a `&str`, for a [`Choice`](crate::Choice) with data a reference to it. From a `Choice` without data, these functions get
    /// the selected id, a `&str`.
    type Arg<'a>;

    #[doc(hidden)]
    fn arg(&self) -> Self::Arg<'_>;

    #[doc(hidden)]
    fn copy(&self) -> Self;

    /// The value, as a client gets it.
    #[doc(hidden)]
    fn show(&self) -> ValueRef<'_>;

    /// Writes the value and returns `true` if this type has the value.
    #[doc(hidden)]
    fn write(&mut self, value: ValueRef<'_>) -> bool;

    /// The list in the value itself.
    #[doc(hidden)]
    fn carried(&self) -> Option<&dyn Carried> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl OptionValue for bool {
    type Arg<'a> = Self;

    fn arg(&self) -> Self {
        *self
    }

    fn copy(&self) -> Self {
        *self
    }

    fn show(&self) -> ValueRef<'_> {
        ValueRef::Boolean(*self)
    }

    fn write(&mut self, value: ValueRef<'_>) -> bool {
        let ValueRef::Boolean(value) = value else { return false };
        *self = value;
        true
    }
}

#[diagnostic::do_not_recommend]
impl OptionValue for String {
    type Arg<'a> = &'a str;

    fn arg(&self) -> &str {
        self
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self)
    }

    fn write(&mut self, value: ValueRef<'_>) -> bool {
        let ValueRef::Id(id) = value else { return false };
        id.clone_into(self);
        true
    }
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue> OptionValue for T {
    type Arg<'a> = Self;

    fn arg(&self) -> Self {
        self.copy()
    }

    fn copy(&self) -> Self {
        // Such an enum need not be `Clone`. But the derive can make each of its values by position.
        T::at(self.position()).expect("a value's position is one of its type")
    }

    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self.id())
    }

    fn write(&mut self, value: ValueRef<'_>) -> bool {
        let ValueRef::Id(id) = value else { return false };
        let Some(value) = T::from_id(id) else { return false };
        *self = value;
        true
    }
}

/// A type with a default, for options without `default = ..`.
#[diagnostic::on_unimplemented(
    message = "an option of type `{Self}` has no default",
    label = "needs a default",
    note = "the protocol requires one of every option, since a client may never set it",
    note = "help: write `#[config_option(default = ..)]`, or mark a variant `#[default]` and derive `Default`; of a \
            `Choice` it is the list to start with: `default = Choice::new([..])`, or \
            `Choice::default()` for a list that comes later"
)]
pub trait HasInitial: OptionValue {
    /// The default.
    fn initial() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue + Default> HasInitial for T {
    fn initial() -> Self {
        T::default()
    }
}

/// The bound on a config. Every session works on its own copy, so a config must be `Clone`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is what each session starts with, so it must be `Clone`",
    label = "not `Clone`",
    note = "every session has its own copy",
    note = "help: add `#[derive(Clone)]` to `struct {Self}`; options of a struct of their own are named on the agent: `#[acp_agent(config = ..)]`"
)]
pub trait Snapshot: Sized {
    /// A copy for one session or one reader.
    fn copy(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> Snapshot for T {
    fn copy(&self) -> Self {
        self.clone()
    }
}

/// Compiles if sessions can copy the config. The expansion calls this function for the length of an array.
pub const fn cloned<C: Snapshot>() -> usize {
    0
}

/// The value at `position`, for enums that are not `Copy`.
pub fn nth<T, const N: usize>(all: [T; N], position: usize) -> Option<T> {
    all.into_iter().nth(position)
}
