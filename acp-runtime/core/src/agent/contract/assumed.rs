//! What the expansion takes as given, so that a mistake is told of once: where it was made.

use std::marker::PhantomData;

use super::declaration::AgentDeclaration;

/// A type by a longer name, which binds a lifetime. The compiler refuses a `where` that is false, but not one with a bound
/// lifetime in it: what needs the bound then compiles, and whoever uses it is still asked.
pub trait Assumed<'a> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized> Assumed<'_> for T {
    type Itself = T;
}

/// Compiles for a type with the struct half. The expansion calls it for the length of an array. The compiler checks a length
/// once, and a type with a wrong length in it is an error, see [`Given`].
pub const fn declared<A: AgentDeclaration>() -> usize {
    0
}

/// Compiles for a type that threads can share. Called as [`declared`] is, and before [`sent_between_threads`]: a field that
/// neither can be shared nor sent is one mistake, and the compiler tells of each by itself.
pub const fn shared_by_threads<A: Sync>() -> usize {
    0
}

/// Compiles for a type that threads can hand on. Called as [`declared`] is.
pub const fn sent_between_threads<A: Send>() -> usize {
    0
}

/// `T`, or an error if `Fact` is one. The compiler has reported that error then, and reports nothing that follows from it.
pub type Given<T, Fact> = <T as Granted<Fact>>::Itself;

/// See [`Given`].
pub trait Granted<Fact> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized, Fact> Granted<Fact> for T {
    type Itself = T;
}

/// Whether threads can share a value of the type: the compiler finds the constant of the type before that of [`MayShare`].
#[derive(Debug)]
pub struct Threads<A>(PhantomData<fn() -> A>);

impl<A: Send + Sync> Threads<A> {
    /// They can.
    pub const SHARE: bool = true;
}

/// The answer for all other types.
pub trait MayShare {
    /// They cannot.
    const SHARE: bool = false;
}

impl<A> MayShare for Threads<A> {}
