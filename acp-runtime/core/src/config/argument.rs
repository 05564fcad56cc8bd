//! The argument that the functions of a dependent option get for another option. A `Choice` with data is passed whole, a
//! `Choice` without data as its id. Traits cannot express this difference, because their impls would overlap. So there
//! are three types here, of which method resolution takes the first one whose `impl` fits, as in `initial`.

use std::marker::PhantomData;
use std::ops::Deref;

use crate::config::choice::Choice;
use crate::config::initial::unreachable;
use crate::config::value::OptionValue;

/// The argument for an option of type `V`.
pub struct Argument<V>(PhantomData<V>);
/// Stands for a type whose argument the trait knows.
pub struct Typical<V>(PhantomData<V>);
/// Stands for a type that cannot be an option. The build fails, so its code never runs.
pub struct Misfit<V>(PhantomData<V>);

impl<V> Argument<V> {
    /// The value on which the derive calls the function.
    pub const OF: Self = Self(PhantomData);
}

impl Argument<Choice> {
    /// The id of the selected value.
    pub fn of<'c>(&self, value: &'c Choice) -> &'c str {
        value.id()
    }
}

impl<V: OptionValue> Typical<V> {
    /// The value.
    pub fn of<'c>(&self, value: &'c V) -> V::Arg<'c> {
        value.arg()
    }
}

impl<V> Misfit<V> {
    /// Compiles for any type.
    pub fn of<A>(&self, _: &V) -> A {
        unreachable()
    }
}

impl<V> Deref for Argument<V> {
    type Target = Typical<V>;

    fn deref(&self) -> &Typical<V> {
        &Typical(PhantomData)
    }
}

impl<V> Deref for Typical<V> {
    type Target = Misfit<V>;

    fn deref(&self) -> &Misfit<V> {
        &Misfit(PhantomData)
    }
}
