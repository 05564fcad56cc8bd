//! What only the compiler knows of a type: whether it has a default, whether threads can own and share it, whether it decodes
//! from a number or a text.
//!
//! An expansion does not see the types that it names, and it has to compile for every type. So each item here exists twice.
//! [`Facts`] itself has it, under a bound, and the trait [`Otherwise`] has it for every type. The compiler looks for an
//! inherent item first, so where the bound is met, the inherent item hides that of the trait. The expansion brings the trait
//! into scope and writes `Facts::<T>::ITEM`. An inherent item can stand only in the crate of its type. So the other crates
//! have pairs of their own for bounds on their own types, by the same rule.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::scalar::Scalar;

/// The facts about `T`.
#[derive(Debug)]
pub struct Facts<T: ?Sized>(PhantomData<fn() -> T>);

/// The items of the types that do not meet the bound of an item of [`Facts`].
pub trait Otherwise<T: ?Sized> {
    /// There is no default.
    const DEFAULT: Option<fn() -> T> = None;
    /// Threads cannot share the value.
    const SHARE: bool = false;
    /// Only one thread may own the value.
    const SENT: Unasked = Unasked;

    /// Compiles.
    fn sent_by_agent() {}

    /// Compiles.
    fn sent_by_client() {}
}

impl<T: ?Sized> Otherwise<T> for Facts<T> {}

impl<T: Default> Facts<T> {
    /// Makes the default.
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

impl<T: Send + Sync + ?Sized> Facts<T> {
    /// Threads can share the value.
    pub const SHARE: bool = true;
}

impl<T: Send + ?Sized> Facts<T> {
    /// Any thread may own the value.
    pub const SENT: Asked<T> = Asked(PhantomData);
}

/// Marks a field that any thread may own. The check of sharing follows.
#[derive(Debug)]
pub struct Asked<F: ?Sized>(PhantomData<fn() -> F>);

/// Marks a field that only one thread may own. The check of sharing is left out, because the field is already a
/// mistake.
#[derive(Debug)]
pub struct Unasked;

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

// JSON-RPC sends params as an object, as a list, or not at all. A peer could never call a handler whose parameter is a number
// or a text, so such a handler does not compile. If a type does not decode at all, the compiler refuses it elsewhere.
impl<T: Scalar + DeserializeOwned> Facts<T> {
    /// Does not compile.
    pub fn sent_by_agent()
    where
        T: ParamsOfAgent,
    {
    }

    /// Does not compile.
    pub fn sent_by_client()
    where
        T: ParamsOfClient,
    {
    }
}

/// A type that an agent can send as params. No `Scalar` implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no agent could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value"
)]
pub trait ParamsOfAgent {}

/// A type that a client can send as params. No `Scalar` implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no client could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value",
    note = "the session that the params name as `sessionId` is the parameter `SessionHandle<Config>`"
)]
pub trait ParamsOfClient {}
