//! The types of option fields: how each is read and written in the protocol's form, and the sentences that an author reads when
//! a type does not fit.

use crate::config::choice::{Choice, ChoiceValue};
use crate::config::declaration::Kind;

/// The values of a select option: an enum without data, one variant for each value.
///
/// `#[derive(SelectValue)]` writes the implementation. A value's id is its variant in snake case, its label the variant in
/// Title Case, its description the doc comment. `#[select_value(..)]` on a variant overrides these:
///
/// | key | type | left out | effect |
/// |---|---|---|---|
/// | `id = "fast"` | string | the variant in snake case | the id on the wire |
/// | `name = "Fast"` | string | the variant in Title Case | the label |
/// | `group = "Small"` | string | none | the header under which clients list the value; either every variant has a group, or none has |
///
/// Serves <https://agentclientprotocol.com/protocol/v1/session-config-options#configoptionvalue>.
///
/// ```
/// use acp_runtime::SelectValue;
///
/// #[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
/// enum Effort {
///     /// IntoAnswer at once.
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
    /// Every value, in the order of declaration, which is the order of display.
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

    /// The value with this id.
    fn from_id(id: &str) -> Option<Self> {
        Self::at(Self::VALUES.iter().position(|value| value.id == id)?)
    }
}

/// One value of a select, as a client is shown it.
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

/// On and off, as a client without boolean options may select them.
pub(crate) const SWITCH: &[ValueDeclaration<'static>] =
    &[ValueDeclaration::new("on", "On"), ValueDeclaration::new("off", "Off")];

impl<'a> ValueDeclaration<'a> {
    /// A value with its id and its label.
    pub const fn new(id: &'a str, name: &'a str) -> Self {
        Self { id, name, description: None, group: None }
    }

    /// The text that a client shows beside the label.
    pub const fn description(mut self, text: &'a str) -> Self {
        self.description = Some(text);
        self
    }

    /// The header above the value.
    pub const fn group(mut self, id: &'a str, name: &'a str) -> Self {
        self.group = Some(Group { id, name });
        self
    }
}

/// A current or requested value, in the wire's form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueRef<'a> {
    /// The value of a boolean option.
    Boolean(bool),
    /// The value of a select: the id of the selected value.
    Id(&'a str),
}

/// A type that can be the value of an option.
///
/// These types are `bool`, `String`, [`Choice`], and every enum with [`#[derive(SelectValue)]`](SelectValue); no other type can
/// be one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a config option",
    label = "not an option type",
    note = "an option is a `bool`, an enum with `#[derive(SelectValue)]`, a `String` with `values(..)`, or a `Choice`"
)]
pub trait OptionValue: Sized + Send + Sync + 'static {
    /// The type by which the functions of a dependent option get the value: `bool` and enums by value, `String` and [`Choice`]
    /// as `&str`.
    type Arg<'a>;

    #[doc(hidden)]
    fn arg(&self) -> Self::Arg<'_>;

    #[doc(hidden)]
    fn copy(&self) -> Self;

    /// The value as a client sees it.
    #[doc(hidden)]
    fn show(&self) -> ValueRef<'_>;

    /// Writes the value and returns `true`, if this type has the value.
    #[doc(hidden)]
    fn write(&mut self, value: ValueRef<'_>) -> bool;

    /// The list that the value carries, and the id of the value that was selected at first.
    #[doc(hidden)]
    fn carried(&self) -> Option<(&[ChoiceValue], &str)> {
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
impl OptionValue for Choice {
    type Arg<'a> = &'a str;

    fn arg(&self) -> &str {
        self.id()
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self.id())
    }

    fn write(&mut self, value: ValueRef<'_>) -> bool {
        let ValueRef::Id(id) = value else { return false };
        self.select(id);
        true
    }

    fn carried(&self) -> Option<(&[ChoiceValue], &str)> {
        Some((self.values(), self.initial()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue> OptionValue for T {
    type Arg<'a> = Self;

    fn arg(&self) -> Self {
        self.copy()
    }

    fn copy(&self) -> Self {
        // Not every such enum is `Clone`; the derive can make any of its values.
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

/// A type that decides the kind of its option.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a config option as it stands",
    label = "neither a `bool` nor an enum with `#[derive(SelectValue)]`",
    note = "an option is a `bool`, an enum with `#[derive(SelectValue)]`, a `String` with its values \
            (`#[config_option(values(\"a\" = \"A\", \"b\"), default = \"a\")]`), or a `Choice`",
    note = "a field that is a struct of options is marked `#[config_option(flatten)]`"
)]
pub trait Declared: OptionValue {
    /// The kind.
    const KIND: Kind;
}

#[diagnostic::do_not_recommend]
impl Declared for bool {
    const KIND: Kind = Kind::Boolean;
}

#[diagnostic::do_not_recommend]
impl Declared for Choice {
    const KIND: Kind = Kind::Choice;
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue> Declared for T {
    const KIND: Kind = Kind::Select(T::VALUES);
}

/// The bound of `kind = "boolean"`.
#[diagnostic::on_unimplemented(
    message = "kind `boolean` needs a `bool`, found `{Self}`",
    label = "not a `bool`",
    note = "help: make the field a `bool`, or leave `kind` out: it follows from the type"
)]
pub trait IsBoolean: Declared {}

#[diagnostic::do_not_recommend]
impl IsBoolean for bool {}

/// The bound of `kind = "select"` without `values(..)`.
#[diagnostic::on_unimplemented(
    message = "kind `select` needs values to select from, `{Self}` has none",
    label = "nothing to select from",
    note = "a select is an enum with `#[derive(SelectValue)]`, a `String` with its values \
            (`#[config_option(values(\"a\" = \"A\", \"b\"), default = \"a\")]`), or a `Choice`"
)]
pub trait IsSelect: Declared {}

#[diagnostic::do_not_recommend]
impl IsSelect for Choice {}

#[diagnostic::do_not_recommend]
impl<T: SelectValue> IsSelect for T {}

/// The bound of `fallback = ".."`.
#[diagnostic::on_unimplemented(
    message = "`fallback` belongs to a boolean, found `{Self}`",
    label = "not a `bool`",
    note = "it says what a client without boolean options is shown; a select is shown to every client"
)]
pub trait FallsBack: Declared {}

#[diagnostic::do_not_recommend]
impl FallsBack for bool {}

/// The bound of `values(..)`.
#[diagnostic::on_unimplemented(
    message = "`values(..)` lists the values of a `String`, found `{Self}`",
    label = "not a `String`",
    note = "help: make the field a `String`; an enum brings its own values by `#[derive(SelectValue)]`, a `Choice` carries them; a `bool` has none"
)]
pub trait IsText: OptionValue {}

#[diagnostic::do_not_recommend]
impl IsText for String {}

/// The default of an option without `default = ..`.
#[diagnostic::on_unimplemented(
    message = "an option of type `{Self}` has no default",
    label = "needs a default",
    note = "the protocol requires one of every option, since a client may never set it",
    note = "help: write `#[config_option(default = ..)]`, or mark a variant `#[default]` and derive `Default`; of a \
            `Choice` it is the list to start with: `default = Choice::new([..])`"
)]
pub trait HasDefault: OptionValue {
    /// The default.
    fn initial() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: SelectValue + Default> HasDefault for T {
    fn initial() -> Self {
        T::default()
    }
}

/// The bound on a config: every session works on its own copy.
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

/// The value at `position`, for enums that are not `Copy`.
pub fn nth<T, const N: usize>(all: [T; N], position: usize) -> Option<T> {
    all.into_iter().nth(position)
}
