//! The initial value of an option, as the derive writes it. If the option's row refuses a type already, this module must
//! not refuse the type again. Method resolution takes the first of these types whose `impl` fits, and the last fits all
//! types.

use std::{borrow::Cow, marker::PhantomData, ops::Deref};

use crate::config::value::{Declared, HasDefault, SelectValue};

/// The initial value of an option of type `T`, if the default fits the type.
pub struct Initial<T>(PhantomData<T>);
/// For a type that can be an option but lacks its default.
pub struct Defaultless<T>(PhantomData<T>);
/// For any other type, which the row refuses: the build fails, so this code never runs.
pub struct Misfit<T>(PhantomData<T>);

impl<T> Initial<T> {
    /// The initial value of such an option.
    pub const OF: Self = Self(PhantomData);
}

impl Initial<bool> {
    /// The value for `default = true` and `kind = "boolean"`.
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
    /// The type's own default.
    pub fn own(&self) -> T {
        T::initial()
    }
}

impl<T: SelectValue + Default> Initial<T> {
    /// The id of the type's own default.
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
/// Fills the place of a value that an erroneous declaration left out: the build fails anyway.
pub fn unreachable() -> ! {
    unreachable!("a declaration with errors does not compile")
}
