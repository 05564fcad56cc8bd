//! Methods of vendors, declared with `#[ext(..)]`.
//!
//! See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).

use std::marker::PhantomData;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::answers;
use crate::{
    TARGET,
    agent::{
        call::{Called, Handled},
        expansion::OfActiveSession,
        kinds::{Active, Named},
        model::{CallContext, Handlers},
        params,
    },
    schema::Method,
    wire::{Error, Result, own},
};

/// An extension request, declared with `#[ext("_vendor/name")]`; see [Extension
/// methods](../../guide/own_methods/index.html#extension-methods).
#[derive(Debug)]
pub struct Ext;

/// An extension notification, declared with `#[ext(notification = "_vendor/name")]`; see
/// [Extension methods](../../guide/own_methods/index.html#extension-methods).
#[derive(Debug)]
pub struct ExtNotification;

/// An extension method, declared with `#[ext(M)]`. `acp-codegen` generates the marker `M` from a vendor's schema; `M`
/// names the types of the params and of the answer.
#[derive(Debug)]
pub struct ExtOf<M>(PhantomData<fn() -> M>);

/// Implements an extension method. There are no checks, and the answer is not changed. The type of the handler's
/// parameter decodes the params, which `$raw` takes from the call.
macro_rules! extension {
    (
        $method:ty $(, $generic:ident)?: $params:ty => $answer:ty,
        |$parts:ident| $raw:expr $(, fn called($($called:tt)*) $set:block)?
    ) => {
        impl<A: Handlers $(, $generic: Method)?> Handled<A> for $method {
            crate::agent::methods::answers_itself!($params => $answer);
            type Admitted = Named<A>;

            $(fn called($($called)*) $set)?
        }

        impl<A: Handlers $(, $generic: Method)?> Called<A> for $method {
            fn admit(context: &mut CallContext<A>, params: &Self::Params) -> Result<Named<A>> {
                Ok(crate::agent::methods::extension::enter_named(context, params.as_ref()))
            }
        }

        /// The session whose id the params hold as `sessionId`, as the protocol's own methods do.
        impl$(<$generic: Method>)? OfActiveSession for $method {
            fn absent() -> Error {
                Error::invalid_params("`sessionId` names no active session")
            }
        }

        crate::agent::expansion::takes! {
            [A: Handlers $(, $generic: Method<Params = T>)?, T: DeserializeOwned] $method: T, REQUEST =
                |$parts| params::of_extension($raw.as_ref());
        }
    };
}
extension!(Ext: Box<RawValue> => Box<RawValue>, |parts| parts.request()?);
extension!(ExtNotification: Box<RawValue> => (), |parts| parts.request()?);
extension!(ExtOf<M>, M: Box<RawValue> => M::Response, |parts| parts.request()?);

answers!(ExtNotification: ());
answers! {
    [A: Handlers, T: Serialize] Ext: T as Itself = |value| own::answer(&value).map_err(Error::from);
    [A: Handlers, M: Method<Response = T>, T] ExtOf<M>: T as Itself = |answer| Ok(answer);
}

pub(super) use extension;

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
