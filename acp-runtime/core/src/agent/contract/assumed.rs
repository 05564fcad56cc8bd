//! Assumptions of the expanded code, so that the compiler reports a mistake only once, at its place.

use std::marker::PhantomData;

use super::declaration::AgentDeclaration;
use crate::config::ConfigOptions;

/// A type under a longer name, which binds a lifetime. The compiler refuses a false `where` bound, but not a bound with a
/// bound lifetime in it. So code that needs the bound compiles, and the compiler still checks the bound where the code is
/// used.
pub trait Assumed<'a> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized> Assumed<'_> for T {
    type Itself = T;
}

/// Compiles for a type with the struct half. The expansion calls this function for the length of an array. The compiler
/// checks a length once, and a type with a wrong length in it is an error, see [`Given`].
pub const fn declared<A: AgentDeclaration>() -> usize {
    0
}

/// Compiles for a struct of options. The expansion calls this function as it calls [`declared`]. If the struct has a
/// mistake, which was reported, the call cannot be evaluated.
pub const fn options_of<C: ConfigOptions>() -> usize {
    C::OPTIONS.len()
}

/// Compiles for a field that threads can hand on. The expansion calls this function as it calls [`declared`], and before the
/// field is `Asked` whether threads can share it. A field that can neither be sent nor shared is one mistake, but the
/// compiler would report both.
// The compiler shows the line of a bound that fails, so the line says what to do.
#[rustfmt::skip]
pub const fn sent_between_threads<F>()
where
    F: Send + ?Sized, // any thread may run a handler: take `Arc` for `Rc`, and an id or a channel for what one thread keeps
{
}

/// Compiles for a session that threads can hand on. The expansion calls this function as it calls [`declared`].
#[rustfmt::skip]
pub const fn session_sent_between_threads<S>() -> usize
where
    S: Send, // any thread may run a turn of the session: take `Arc` for `Rc`, also where the agent is `local`
{
    0
}

/// `T`, or an error if `Fact` is an error. The compiler has reported that error already, and reports nothing that follows
/// from it.
pub type Given<T, Fact> = <T as Granted<Fact>>::Itself;

/// See [`Given`].
pub trait Granted<Fact> {
    /// The type.
    type Itself: ?Sized;
}

impl<T: ?Sized, Fact> Granted<Fact> for T {
    type Itself = T;
}

/// Tells whether threads can share a value of the type: the compiler finds the constant of the type before that of
/// [`MayShare`].
#[derive(Debug)]
pub struct Threads<A: ?Sized>(PhantomData<fn() -> A>);

impl<A: Send + Sync + ?Sized> Threads<A> {
    /// Threads can share the value.
    pub const SHARE: bool = true;
}

/// The answer for all other types.
pub trait MayShare {
    /// Threads cannot share the value.
    const SHARE: bool = false;
}

impl<A: ?Sized> MayShare for Threads<A> {}

/// A field that can be sent, so the check for sharing follows.
#[derive(Debug)]
pub struct Asked<F: ?Sized>(PhantomData<fn() -> F>);

/// A field that cannot be sent, so the check for sharing is left out.
#[derive(Debug)]
pub struct Unasked;

impl<F: Send + ?Sized> Threads<F> {
    /// The field can be sent.
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
    /// Compiles for every field.
    pub const fn shared_between_threads(&self) {}
}

/// The answer for all other fields.
pub trait MayBeSent {
    /// The field cannot be sent.
    const SENT: Unasked = Unasked;
}

impl<F: ?Sized> MayBeSent for Threads<F> {}
