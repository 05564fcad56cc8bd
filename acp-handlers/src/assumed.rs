//! Types that let the expanded code assume a bound. So the compiler reports a mistake only once, at its place.

/// Another way to write a type, with a lifetime parameter. The compiler refuses a `where` clause that is false at once,
/// unless the clause has a `for<'a>` lifetime. With this form, the code compiles, and the compiler checks the clause
/// where the code is used.
pub trait Assumed<'a> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized> Assumed<'_> for T {
    type Itself = T;
}

/// Stands for `T`. If `Fact` is an error, this type is an error, too. The compiler has already reported `Fact`, so it
/// reports no errors that follow from it.
pub type Given<T, Fact> = <T as Granted<Fact>>::Itself;

/// The trait behind [`Given`].
pub trait Granted<Fact> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized, Fact> Granted<Fact> for T {
    type Itself = T;
}
