//! What the expansion takes as given, so that a mistake is told of once: where it was made.

use std::marker::PhantomData;

use super::declaration::AgentDeclaration;
use crate::config::ConfigOptions;

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

/// Compiles for a struct of options. Called as [`declared`] is. Of one with a mistake, which was told of, it cannot be
/// evaluated.
pub const fn options_of<C: ConfigOptions>() -> usize {
    C::OPTIONS.len()
}

/// Compiles for a field that threads can hand on. Called as [`declared`] is, and before the field is [`Asked`] whether they
/// can share it: what neither can be sent nor shared is one mistake, and the compiler tells of each by itself.
// A bound that fails is shown with its line, which therefore says what to do.
#[rustfmt::skip]
pub const fn sent_between_threads<F>()
where
    F: Send + ?Sized, // any thread may run a handler: take `Arc` for `Rc`, and an id or a channel for what one thread keeps
{
}

/// Compiles for a session that threads can hand on. Called as [`declared`] is.
#[rustfmt::skip]
pub const fn session_sent_between_threads<S>() -> usize
where
    S: Send, // any thread may run a turn of the session: take `Arc` for `Rc`, also where the agent is `local`
{
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
pub struct Threads<A: ?Sized>(PhantomData<fn() -> A>);

impl<A: Send + Sync + ?Sized> Threads<A> {
    /// They can.
    pub const SHARE: bool = true;
}

/// The answer for all other types.
pub trait MayShare {
    /// They cannot.
    const SHARE: bool = false;
}

impl<A: ?Sized> MayShare for Threads<A> {}

/// A field that can be sent, which is asked whether it can be shared.
#[derive(Debug)]
pub struct Asked<F: ?Sized>(PhantomData<fn() -> F>);

/// A field that is not asked, because it cannot be sent.
#[derive(Debug)]
pub struct Unasked;

impl<F: Send + ?Sized> Threads<F> {
    /// It can be sent.
    pub const SENT: Asked<F> = Asked(PhantomData);
}

impl<F: ?Sized> Asked<F> {
    /// Compiles for a field that threads can share.
    #[rustfmt::skip]
    pub const fn shared_between_threads(&self)
    where
        F: Sync, // all threads share the agent: put what changes behind a `Mutex`, or in an atomic
    {
    }
}

impl Unasked {
    /// Compiles.
    pub const fn shared_between_threads(&self) {}
}

/// The answer for all other fields.
pub trait MayBeSent {
    /// They cannot.
    const SENT: Unasked = Unasked;
}

impl<F: ?Sized> MayBeSent for Threads<F> {}
