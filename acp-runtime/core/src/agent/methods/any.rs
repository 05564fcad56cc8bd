//! Methods that a handler serves by prefix (`#[method(prefix = ..)]`), or because no other handler serves them
//! (`#[fallback]`).

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::extension::{enter_named, not_named};
use crate::{
    agent::{
        call::{Called, Handled, IntoAnswer, Itself, Parts, Short},
        expansion::{FromCall, MethodName, OfActiveSession, slot},
        kinds::Named,
        model::{CallContext, Handlers},
        params::{self, Params},
    },
    values::Meta,
    wire::{Error, Result, own},
};

/// A request that has a handler by its prefix, or in the fallback; see [Any method](../../index.html#any-method).
#[derive(Debug)]
pub struct AnyRequest;

/// A notification that has a handler by its prefix, or in the fallback; see [Any method](../../index.html#any-method).
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

macro_rules! any {
    ($method:ty: $answer:ty) => {
        impl<A: Handlers> Handled<A> for $method {
            type Params = Unlisted;
            type Answer = $answer;
            type Response = $answer;
            type Admitted = Named<A>;

            fn called(params: &mut Unlisted, method: &str) {
                method.clone_into(&mut params.method);
            }

            async fn conclude(
                _: &mut CallContext<A>,
                _: &mut Named<A>,
                answer: Self::Answer,
            ) -> Result<Self::Response> {
                Ok(answer)
            }
        }

        impl<A: Handlers> Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Unlisted) -> Result<Named<A>> {
                Ok(enter_named(context, &params.params))
            }
        }

        impl<'c, A: Handlers> FromCall<'c, $method, A> for MethodName {
            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                Ok(Self(parts.borrowed_request()?.method.clone()))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'c, A: Handlers, T: DeserializeOwned> FromCall<'c, $method, A> for T {
            const SLOT: u32 = slot::REQUEST;

            fn from_call(parts: &mut Parts<'c, A, $method>) -> Result<Self> {
                params::of_extension(&parts.borrowed_request()?.params)
            }
        }

        /// The session whose id the params hold as `sessionId`, as the protocol's own methods do.
        impl OfActiveSession for $method {
            fn absent() -> Error {
                not_named()
            }
        }
    };
}

any!(AnyRequest: Box<RawValue>);
any!(AnyNotification: ());

#[diagnostic::do_not_recommend]
impl<A: Handlers, T: Serialize> IntoAnswer<AnyRequest, A, Itself> for T {
    fn answer(self) -> Result<Box<RawValue>> {
        own::answer(&self).map_err(Error::from)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers> IntoAnswer<AnyNotification, A, Short> for () {
    fn answer(self) -> Result<()> {
        Ok(())
    }
}
