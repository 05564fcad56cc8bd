//! Methods of vendors, declared with `#[ext(..)]`.
//!
//! See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).

use std::marker::PhantomData;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::{
    TARGET,
    agent::{
        call::{Called, Handled, IntoAnswer, Itself, Parts, Short},
        expansion::{FromCall, OfActiveSession, slot},
        kinds::{Active, Named},
        model::{CallContext, Handlers},
        params,
    },
    schema::Method,
    wire::{Error, Result, own},
};

/// An extension request, declared with `#[ext("_vendor/name")]`; see [Extension
/// methods](../../index.html#extension-methods).
#[derive(Debug)]
pub struct Ext;

/// An extension notification, declared with `#[ext(notification = "_vendor/name")]`; see
/// [Extension methods](../../index.html#extension-methods).
#[derive(Debug)]
pub struct ExtNotification;

/// An extension method, declared with `#[ext(M)]`. `acp-codegen` generates the marker `M` from a vendor's schema; `M`
/// names the types of the params and of the answer.
#[derive(Debug)]
pub struct ExtOf<M>(PhantomData<fn() -> M>);

/// Implements an extension method. There are no checks, and the answer is not changed. The type of the handler's
/// parameter decodes the params.
macro_rules! extension {
    ($method:ty $(, $generic:ident)?: $answer:ty) => {
        impl<A: Handlers $(, $generic: Method)?> Handled<A> for $method {
            type Params = Box<RawValue>;
            type Answer = $answer;
            type Response = $answer;
            type Admitted = Named<A>;

            async fn conclude(
                _: &mut CallContext<A>,
                _: &mut Named<A>,
                answer: Self::Answer,
            ) -> Result<Self::Response> {
                Ok(answer)
            }
        }

        impl<A: Handlers $(, $generic: Method)?> Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Named<A>> {
                Ok(enter_named(context, params))
            }
        }

        /// The session whose id the params hold as `sessionId`, as the protocol's own methods do.
        impl$(<$generic: Method>)? OfActiveSession for $method {
            fn absent() -> Error {
                not_named()
            }
        }
    };
}
extension!(Ext: Box<RawValue>);
extension!(ExtNotification: ());
extension!(ExtOf<M>, M: M::Response);

pub(super) fn not_named() -> Error {
    Error::invalid_params("`sessionId` names no active session")
}

/// Assigns an extension to the session that its params name, if this session is active. If a handler needs an active
/// session, its parameter `SessionHandle` checks this.
pub(super) fn enter_named<A: Handlers>(context: &mut CallContext<A>, params: &RawValue) -> Named<A> {
    let named = params::session_id(params).map(|id| Active::enter(context, &id));
    match named.transpose() {
        Ok(active) => Named(active.map(|active| active.session)),
        Err(_) => {
            tracing::debug!(target: TARGET, "an extension names a session that is not active");
            Named(None)
        }
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, T: DeserializeOwned> FromCall<'c, Ext, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, Ext>) -> Result<Self> {
        params::of_extension(&parts.request()?)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, T: DeserializeOwned> FromCall<'c, ExtNotification, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, ExtNotification>) -> Result<Self> {
        params::of_extension(&parts.request()?)
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Method<Params = T>, T: DeserializeOwned> FromCall<'c, ExtOf<M>, A> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'c, A, ExtOf<M>>) -> Result<Self> {
        params::of_extension(&parts.request()?)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers, T: Serialize> IntoAnswer<Ext, A, Itself> for T {
    fn answer(self) -> Result<Box<RawValue>> {
        own::answer(&self).map_err(Error::from)
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers> IntoAnswer<ExtNotification, A, Short> for () {
    fn answer(self) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<A: Handlers, M: Method<Response = T>, T> IntoAnswer<ExtOf<M>, A, Itself> for T {
    fn answer(self) -> Result<T> {
        Ok(self)
    }
}
