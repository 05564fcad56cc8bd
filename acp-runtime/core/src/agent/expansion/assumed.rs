//! Types that let the expanded code assume a bound. So the compiler reports a mistake only once, at its place.

use std::marker::PhantomData;

pub use acp_handlers::{Assumed, Given};

use crate::{agent::declaration::AgentDeclaration, config::ConfigOptions, constant::Text};

/// Compiles for a type with the struct half. The expansion calls this function for the length of an array. The compiler
/// checks a length once, and a type with a wrong length in it is an error, see [`Given`]. If the struct has a mistake, which
/// was reported, so has the type of this function.
pub const fn declared<A: AgentDeclaration>() -> (usize, PhantomData<A::Sound>) {
    (0, PhantomData)
}

/// An agent that is its own config. The derive of its options has reported its mistakes.
pub trait OwnConfig {
    /// The agent, or an error if its struct has a mistake.
    type Sound;
    /// The agent, or an error if it is no `Clone`.
    type Config;
}

/// Compiles if `C` is a struct of options and nothing else, so that it has defaults. The expansion calls this function as it
/// calls [`declared`]. If the struct has a mistake, the macro has reported it, and the compiler cannot evaluate this call.
pub const fn options_of<C: ConfigOptions>() -> usize {
    if !C::OUTLINE.whole {
        let text =
            Text::EMPTY.push("`").push(C::OUTLINE.name).push("` has fields that are no options, so it cannot be ");
        let text = text.push("the `config` of another agent\nhelp: name a struct that derives `ConfigOptions`");
        panic!("{}", text.push(", which makes every field an option").as_str())
    }
    C::OPTIONS.len()
}

/// Compiles if any thread may own the field. The expansion calls this function as it calls [`declared`]. `Asked` checks
/// later whether threads can share the field. Otherwise, a field that threads can neither own nor share would give two
/// errors for one mistake.
// The compiler shows the line of a failed bound, so this line says what to do.
#[rustfmt::skip]
pub const fn sent_between_threads<F>()
where
    F: Send + ?Sized, // any thread may run a handler: take `Arc` for `Rc`, and an id or a channel for what one thread keeps
{
}

/// Compiles if any thread may own the session. The expansion calls this function as it calls [`declared`].
#[rustfmt::skip]
pub const fn session_sent_between_threads<S>() -> usize
where
    S: Send, // any thread may run a turn of the session: take `Arc` for `Rc`, also where the agent is `local`
{
    0
}

/// Tells whether threads can share a value of the type. If they can, the compiler finds the inherent constant `SHARE`.
/// Otherwise it finds the constant of [`MayShare`].
#[derive(Debug)]
pub struct Threads<A: ?Sized>(PhantomData<fn() -> A>);

impl<A: Send + Sync + ?Sized> Threads<A> {
    /// Threads can share the value.
    pub const SHARE: bool = true;
}

/// The answer for types that threads cannot share.
pub trait MayShare {
    /// Threads cannot share the value.
    const SHARE: bool = false;
}

impl<A: ?Sized> MayShare for Threads<A> {}

/// Marks a field that any thread may own. The check of sharing follows.
#[derive(Debug)]
pub struct Asked<F: ?Sized>(PhantomData<fn() -> F>);

/// Marks a field that only one thread may own. The check of sharing is left out, because the field is already a
/// mistake.
#[derive(Debug)]
pub struct Unasked;

impl<F: Send + ?Sized> Threads<F> {
    /// Any thread may own the field.
    pub const SENT: Asked<F> = Asked(PhantomData);
}

impl<F: ?Sized> Asked<F> {
    /// Compiles if threads can share the field.
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

/// The answer for fields that only one thread may own.
pub trait MayBeSent {
    /// Only one thread may own the field.
    const SENT: Unasked = Unasked;
}

impl<F: ?Sized> MayBeSent for Threads<F> {}
