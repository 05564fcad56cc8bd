//! The value that an option starts with, as the derive writes it. A type that the option's row refuses already must not
//! be refused here once more: method resolution takes the first of these types whose `impl` fits, and the last fits all.

use std::{borrow::Cow, marker::PhantomData, ops::Deref};

use crate::config::value::{Declared, HasDefault, SelectValue};

/// The start of an option of type `T`, if the default fits the type.
pub struct Initial<T>(PhantomData<T>);
/// Of a type that can be an option, but lacks its default.
pub struct Defaultless<T>(PhantomData<T>);
/// Of any other type, which the row refuses: the build fails, so nothing of this runs.
pub struct Misfit<T>(PhantomData<T>);

impl<T> Initial<T> {
    /// The start of such an option.
    pub const OF: Self = Self(PhantomData);
}

impl Initial<bool> {
    /// `default = true` of a `kind = "boolean"`.
    pub const fn switch(&self, on: bool) -> bool {
        on
    }
}

impl Initial<String> {
    /// The default of a select from strings.
    pub fn text(&self, id: &str) -> String {
        id.to_owned()
    }
}

impl<T: HasDefault> Initial<T> {
    /// The default that the type itself has.
    pub fn own(&self) -> T {
        T::initial()
    }
}

impl<T: SelectValue + Default> Initial<T> {
    /// The id of that default.
    pub fn own_id(&self) -> Cow<'static, str> {
        Cow::Borrowed(T::default().id())
    }
}

impl<T: Declared> Defaultless<T> {
    /// Refuses the type.
    pub fn own(&self) -> T
    where
        T: HasDefault,
    {
        T::initial()
    }
}

impl<T> Misfit<T> {
    /// Takes any type.
    pub fn own(&self) -> T {
        unreachable()
    }

    /// Takes any type.
    pub fn own_id(&self) -> Cow<'static, str> {
        unreachable()
    }

    /// Takes any type.
    pub fn switch(&self, _: bool) -> T {
        unreachable()
    }

    /// Takes any type.
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
/// Stands where an erroneous declaration left nothing to put: the build fails anyway.
pub fn unreachable() -> ! {
    unreachable!("a declaration with errors does not compile")
}
