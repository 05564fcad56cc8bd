//! The initial value of an option, as the derive writes it. If the option's row already refuses a type, this module
//! must not report the type again. So there are three types here. Method resolution takes the first one whose `impl`
//! fits, and the last one fits all types.

use std::{borrow::Cow, marker::PhantomData, ops::Deref};

use crate::config::kind::Declared;
use crate::config::value::{HasInitial, SelectValue};

/// The initial value of an option of type `T`, if the default fits the type.
pub struct Initial<T>(PhantomData<T>);
/// Stands for a type that can be an option but has no default.
pub struct Defaultless<T>(PhantomData<T>);
/// Stands for a type that the option's keys do not allow. The build fails, so its code never runs.
pub struct Misfit<T>(PhantomData<T>);

impl<T> Initial<T> {
    /// The value on which the derive calls the functions.
    pub const OF: Self = Self(PhantomData);
}

impl Initial<bool> {
    /// The initial value for `default = true` or `false` and `kind = "boolean"`.
    pub const fn switch(&self, on: bool) -> bool {
        on
    }
}

impl Initial<String> {
    /// The initial value of a select from strings.
    pub fn text(&self, id: &str) -> String {
        id.to_owned()
    }
}

impl<T: HasInitial> Initial<T> {
    /// The default of the type.
    pub fn own(&self) -> T {
        T::initial()
    }
}

impl<T: SelectValue + Default> Initial<T> {
    /// The id of the type's default.
    pub fn own_id(&self) -> Cow<'static, str> {
        Cow::Borrowed(T::default().id())
    }
}

impl<T: Declared> Defaultless<T> {
    /// Fails to compile, because the type has no default.
    pub fn own(&self) -> T
    where
        T: HasInitial,
    {
        T::initial()
    }
}

impl<T> Misfit<T> {
    /// Compiles for any type.
    pub fn own(&self) -> T {
        unreachable()
    }

    /// Compiles for any type.
    pub fn own_id(&self) -> Cow<'static, str> {
        unreachable()
    }

    /// Compiles for any type.
    pub fn switch(&self, _: bool) -> T {
        unreachable()
    }

    /// Compiles for any type.
    pub fn text(&self, _: &str) -> T {
        unreachable()
    }
}

impl<T> Deref for Initial<T> {
    type Target = Defaultless<T>;

    fn deref(&self) -> &Defaultless<T> {
        &Defaultless(PhantomData)
    }
}

impl<T> Deref for Defaultless<T> {
    type Target = Misfit<T>;

    fn deref(&self) -> &Misfit<T> {
        &Misfit(PhantomData)
    }
}
/// Stands for a value that a wrong declaration left out. The build fails, so this code never runs.
pub fn unreachable() -> ! {
    unreachable!("a declaration with errors does not compile")
}
