//! The values that a select offers in one state of the config. Also the types that an author's functions may return for
//! them.

use std::borrow::Cow;
use std::fmt;

use crate::config::choice::Choice;
use crate::config::choice_value::ChoiceValue;
use crate::config::distinct::{distinct, is_blank};
use crate::config::value::{Carried, SelectValue, ValueDeclaration};

/// The values of a select, in the order of display.
// This is not a struct of two `Cow`s, because their lifetimes could not be shortened.
#[derive(Clone)]
pub enum Offered<'c> {
    /// All rows of a declaration.
    Declared(&'c [ValueDeclaration<'c>]),
    /// Some rows of a declaration.
    Some(Vec<ValueDeclaration<'c>>),
    /// The values in the option's own value.
    Carried(&'c dyn Carried),
    /// The values that a function of the author made.
    Made(Vec<ChoiceValue>),
    /// The values of an open option, and the selected value, which is not among them.
    Chosen(Box<Offered<'c>>, &'c str),
}

impl<'c> Offered<'c> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Declared(values) => values.len(),
            Self::Some(values) => values.len(),
            Self::Carried(values) => values.len(),
            Self::Made(values) => values.len(),
            Self::Chosen(listed, _) => listed.len() + 1,
        }
    }

    pub(crate) fn get(&self, position: usize) -> Option<ValueDeclaration<'_>> {
        match self {
            Self::Declared(values) => values.get(position).copied(),
            Self::Some(values) => values.get(position).copied(),
            Self::Carried(values) => values.get(position),
            Self::Made(values) => values.get(position).map(ChoiceValue::shown),
            Self::Chosen(listed, id) => {
                listed.get(position).or_else(|| (position == listed.len()).then(|| ValueDeclaration::new(id, id)))
            }
        }
    }

    /// Leaves out blank ids. If several values have one id, keeps only the first of them. So ids without a meaning in
    /// the protocol reach no client. Declarations and a `Choice` need no check here, because the macros and the
    /// `Choice` have made it.
    pub(crate) fn distinct(self) -> Self {
        match self {
            Self::Declared(_) | Self::Carried(_) | Self::Chosen(..) => self,
            Self::Some(values) => Self::Some(distinct(values, |value| value.id)),
            Self::Made(values) => Self::Made(distinct(values, ChoiceValue::id)),
        }
    }

    /// The same values and, behind them, the value `id` if they do not have it.
    pub(crate) fn and(self, id: &'c str) -> Self {
        if is_blank(id) || self.contains(id) { self } else { Self::Chosen(Box::new(self), id) }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = ValueDeclaration<'_>> {
        (0..self.len()).filter_map(|position| self.get(position))
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.iter().any(|value| value.id == id)
    }
}

impl PartialEq for Offered<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Carried(one), Self::Carried(other)) if one.place() == other.place() && one.len() == other.len() => {
                true
            }
            _ => self.iter().eq(other.iter()),
        }
    }
}

impl fmt::Debug for Offered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The types that the function at `values = path` may return for an option of type `V`.
#[diagnostic::on_unimplemented(
    message = "`values` must list values of type `{V}`, this function returns `{Self}`",
    label = "does not return values of type `{V}`",
    note = "for an enum it returns `Vec<{V}>`, `[{V}; N]` or `&[{V}]`; for a `String` the same of strings, of pairs of \
            id and label, or of `ChoiceValue`s; a `Choice` carries its own list, also one that `async` code fetches later: \
            `config.model.offer(..)`"
)]
pub trait Offers<V> {
    /// The list.
    fn offers(self) -> Offered<'static>;
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue> Offers<V> for Vec<V> {
    fn offers(self) -> Offered<'static> {
        declared(&self)
    }
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue> Offers<V> for &[V] {
    fn offers(self) -> Offered<'static> {
        declared(self)
    }
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue, const N: usize> Offers<V> for [V; N] {
    fn offers(self) -> Offered<'static> {
        declared(&self)
    }
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue, const N: usize> Offers<V> for &[V; N] {
    fn offers(self) -> Offered<'static> {
        declared(self)
    }
}

#[diagnostic::do_not_recommend]
impl<I: Into<ChoiceValue>> Offers<String> for Vec<I> {
    fn offers(self) -> Offered<'static> {
        made(self)
    }
}

#[diagnostic::do_not_recommend]
impl<I: Into<ChoiceValue> + Clone> Offers<String> for &[I] {
    fn offers(self) -> Offered<'static> {
        made(self.iter().cloned())
    }
}

#[diagnostic::do_not_recommend]
impl<I: Into<ChoiceValue>, const N: usize> Offers<String> for [I; N] {
    fn offers(self) -> Offered<'static> {
        made(self)
    }
}

#[diagnostic::do_not_recommend]
impl<I: Into<ChoiceValue> + Clone, const N: usize> Offers<String> for &[I; N] {
    fn offers(self) -> Offered<'static> {
        made(self.iter().cloned())
    }
}

fn declared<V: SelectValue>(values: &[V]) -> Offered<'static> {
    Offered::Some(values.iter().map(|value| V::VALUES[value.position()]).collect())
}

fn made(values: impl IntoIterator<Item = impl Into<ChoiceValue>>) -> Offered<'static> {
    Offered::Made(values.into_iter().map(Into::into).collect())
}

/// The list that the author's function returned.
pub fn offers<V, L: Offers<V>>(list: L) -> Offered<'static> {
    list.offers()
}

/// The types that the function at `reset = path` may return for an option of type `V`.
#[diagnostic::on_unimplemented(
    message = "`reset` must give a value of type `{V}`, this function returns `{Self}`",
    label = "does not return a `{V}`",
    note = "it is given the options of `depends_on(..)` and then the current value; for a `String` or a `Choice` it \
            returns the id of a value"
)]
pub trait Resets<V> {
    /// The id of the value.
    fn id(self) -> Cow<'static, str>;
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue> Resets<V> for V {
    fn id(self) -> Cow<'static, str> {
        Cow::Borrowed(SelectValue::id(&self))
    }
}

macro_rules! resets_by_id {
    ($($given:ty),+) => {$(
        #[diagnostic::do_not_recommend]
        impl Resets<String> for $given {
            fn id(self) -> Cow<'static, str> {
                Cow::Owned(self.into())
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T> Resets<Choice<T>> for $given {
            fn id(self) -> Cow<'static, str> {
                Cow::Owned(self.into())
            }
        }
    )+};
}

resets_by_id!(String, &str);

/// The value of `default = ..`, from which the expansion reads the id.
#[derive(Debug)]
pub struct Default<V> {
    /// The value, as the author wrote it.
    pub value: V,
}

impl<V: SelectValue> Default<V> {
    /// The value's id.
    pub fn id(self) -> Cow<'static, str> {
        Cow::Borrowed(SelectValue::id(&self.value))
    }
}

/// The id of the value that the author's function returned.
pub fn resets<V, R: Resets<V>>(value: R) -> Cow<'static, str> {
    value.id()
}
