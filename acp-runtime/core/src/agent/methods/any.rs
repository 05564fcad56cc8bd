//! Methods that a handler serves by prefix (`#[method(prefix = ..)]`), or because no other handler serves them
//! (`#[fallback]`).

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{answers, extension::extension};
use crate::{
    agent::{
        call::{Called, Handled, Parts},
        expansion::{FromCall, MethodName, OfActiveSession},
        kinds::Named,
        model::{CallContext, Handlers},
        params::{self, Params},
    },
    values::Meta,
    wire::{Error, Result, own},
};

/// A request that has a handler by its prefix, or in the fallback; see [Any method](../../guide/own_methods/index.html#any-method).
#[derive(Debug)]
pub struct AnyRequest;

/// A notification that has a handler by its prefix, or in the fallback; see [Any method](../../guide/own_methods/index.html#any-method).
#[derive(Debug)]
pub struct AnyNotification;

/// The name and the raw params of a method.
#[derive(Clone, Debug)]
pub struct Unlisted {
    method: String,
    params: Box<RawValue>,
}

impl Params for Unlisted {
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        Ok(Self { method: String::new(), params: Box::decode(params)? })
    }

    fn meta(&self) -> Option<Meta> {
        self.params.meta()
    }
}

impl AsRef<RawValue> for Unlisted {
    fn as_ref(&self) -> &RawValue {
        &self.params
    }
}

macro_rules! any {
    ($method:ident => $answer:ty) => {
        extension!(
            $method: Unlisted => $answer,
            |parts| parts.borrowed_request()?,
            fn called(params: &mut Unlisted, method: &str) {
                method.clone_into(&mut params.method);
            }
        );

        impl<'c, A: Handlers> FromCall<'c, $method, A> for MethodName {
            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                Ok(Self(parts.borrowed_request()?.method.clone()))
            }
        }
    };
}

any!(AnyRequest => Box<RawValue>);
any!(AnyNotification => ());

answers!(AnyNotification: ());
answers! {
    [A: Handlers, T: Serialize] AnyRequest: T as Itself = |value| own::answer(&value).map_err(Error::from);
}
