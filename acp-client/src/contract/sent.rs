//! The types that an extension's params can have, as for the handlers of agents: JSON-RPC sends an object, a list, or nothing.
//! A type that decodes from a scalar only has the inherent function, whose bound it does not meet. The compiler finds that one
//! first, and the trait's function for all other types.

use std::marker::PhantomData;

use acp_handlers::Scalar;
use serde::de::DeserializeOwned;

/// A parameter type of an extension's handler.
#[derive(Debug)]
pub struct Sent<T>(PhantomData<fn() -> T>);

// A type that does not decode at all is refused as a parameter.
impl<T: Scalar + DeserializeOwned> Sent<T> {
    /// Does not compile.
    pub fn can_be()
    where
        T: Params,
    {
    }
}

/// The function of all other types.
pub trait AnyParams {
    /// Compiles.
    fn can_be() {}
}

impl<T> AnyParams for Sent<T> {}

/// A type that an agent can send as params. No [`Scalar`] implements this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the params of an extension",
    label = "params are an object or a list",
    note = "JSON-RPC has no other params, so no agent could send this",
    note = "help: take a struct that derives `serde::Deserialize`, with a field for this value"
)]
pub trait Params {}
