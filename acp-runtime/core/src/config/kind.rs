//! The kinds of options. For each kind: the bound on the type of its field, with the error text for a type that does not fit.

use crate::config::choice::Choice;
use crate::config::value::{OptionValue, SelectValue, ValueDeclaration};

/// The ways in which a client can set an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// On or off.
    Boolean,
    /// A type that has only these values.
    Select(&'static [ValueDeclaration<'static>]),
    /// A string. It may contain a value that is not offered, until the option is checked.
    Text { values: &'static [ValueDeclaration<'static>], default: &'static str },
    /// A value that contains its list.
    Choice,
}

/// A type that decides the kind of its option.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a config option as it stands",
    label = "neither a `bool` nor an enum with `#[derive(SelectValue)]`",
    note = "an option is a `bool`, an enum with `#[derive(SelectValue)]`, a `String` with its values \
            (`#[config_option(values(\"a\" = \"A\", \"b\"), default = \"a\")]`), or a `Choice`, whose data is \
            `Send + Sync + 'static`",
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
impl<T: Send + Sync + 'static> Declared for Choice<T> {
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
impl<T: Send + Sync + 'static> IsSelect for Choice<T> {}

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

/// The bound of `open`.
#[diagnostic::on_unimplemented(
    message = "`open` belongs to a `Choice` or a `String`, found `{Self}`",
    label = "has only its own values",
    note = "an open option takes values that are not listed; an enum or a `bool` cannot have them"
)]
pub trait IsOpen: OptionValue {}

#[diagnostic::do_not_recommend]
impl IsOpen for String {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> IsOpen for Choice<T> {}

/// The bound of `values(..)`.
#[diagnostic::on_unimplemented(
    message = "`values(..)` lists the values of a `String`, found `{Self}`",
    label = "not a `String`",
    note = "help: make the field a `String`; an enum brings its own values by `#[derive(SelectValue)]`, a `Choice` carries them; a `bool` has none"
)]
pub trait IsText: OptionValue {}

#[diagnostic::do_not_recommend]
impl IsText for String {}
