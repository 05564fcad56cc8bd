//! The default of a type that may have none.

use std::marker::PhantomData;

/// The default of a type, in code that must compile for every type. If the type has a default, the compiler finds the inherent
/// constant. Otherwise it finds that of [`MayLackDefault`].
#[derive(Debug)]
pub struct DefaultOf<T>(PhantomData<fn() -> T>);

impl<T: Default> DefaultOf<T> {
    /// Makes the value.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

/// The answer for types without a default.
pub trait MayLackDefault<T> {
    /// There is no default.
    const DEFAULT: Option<fn() -> T> = None;
}

impl<T> MayLackDefault<T> for DefaultOf<T> {}
