//! The types that the params of an extension can have. JSON-RPC sends params as an object, as a list, or not at all. A
//! client could never call a handler whose parameter is a number or a text, so such a handler does not compile.
//!
//! No trait tells which JSON a type decodes from. So there are two functions `can_be`. The types that decode from a
//! number, a text or a boolean have an inherent one, whose bound they do not meet. All other types have the one of a
//! trait, which has no bound. The compiler looks for an inherent function first.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use acp_handlers::Scalar;

/// A parameter type of an extension's handler.
#[derive(Debug)]
pub struct Sent<T>(PhantomData<fn() -> T>);

// If a type does not decode at all, the compiler refuses it as a parameter elsewhere.
impl<T: Scalar + DeserializeOwned> Sent<T> {
    /// Does not compile.
    pub fn can_be()
    where
        T: Params,
    {
    }
}

/// The function `can_be` for all types that are no `Scalar`.
pub trait AnyParams {
    /// Compiles.
    fn can_be() {}
}

impl<T> AnyParams for Sent<T> {}

/// A type that a client can send as params. No [`Scalar`] implements this trait, so [`Sent::can_be`] does not compile.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no client could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value",
    note = "the session that the params name as `sessionId` is the parameter `SessionHandle<Config>`"
)]
pub trait Params {}
