//! The errors for params that do not decode: [`Error::INVALID_PARAMS`] with the expected type and the place, but without
//! the content. The text of the params is still there, so the place is a JSON pointer from `params`. A column would help
//! little in one long line. [`Error::undecodable_params`] is for a text that is gone.

use serde::de::DeserializeOwned;

use super::{
    error::Error,
    inside::inside,
    names::names,
    pointer::{Step, pointer},
    quoted::Redacted,
};

/// The error for the params of one of the protocol's methods. Its types have no maps, so all keys of the pointer are
/// the protocol's own. `read` is the function that read the params.
pub fn of_method(params: &str, error: &serde_json::Error, read: &dyn Fn(&str) -> serde_json::Result<()>) -> Error {
    describe(params, error, || inside(params, error, read), |_| true)
}

/// As [`of_method`], for params that cannot be read again. The place is the place of the refused value.
pub fn at(params: &str, error: &serde_json::Error) -> Error {
    describe(params, error, Vec::new, |_| true)
}

/// The error for the params of a method of one's own, which are a `T`. If a key is not a name of this type, it is content
/// and is left out.
pub fn of_own_method<T: DeserializeOwned>(params: &str, error: &serde_json::Error) -> Error {
    let known = if error.is_data() { names::<T>(params) } else { Vec::new() };
    describe(params, error, Vec::new, |key| known.contains(&key))
}

fn describe<'p>(
    params: &'p str,
    error: &serde_json::Error,
    inside: impl FnOnce() -> Vec<Step<'p>>,
    may_tell: impl Fn(&str) -> bool,
) -> Error {
    let described = Redacted(error);
    // If the nesting is too deep or a number is too large, there is no place to name.
    if !error.is_data() {
        return Error::invalid_params(format!("invalid params: {}", described.what()));
    }
    let pointer = pointer(params, error, inside(), may_tell);
    Error::invalid_params(match pointer.as_str() {
        "" => format!("invalid params: {described}"),
        pointer => format!("invalid params: {} at `{pointer}`", described.what()),
    })
}
