//! A type for each form of an extension that a client handles.

use std::marker::PhantomData;

use acp_peer::{Error, Result, wire::own::answer as own_answer};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    answer::{IntoAnswer, Itself, Short},
    handled::{Handled, Received},
    lent::Parts,
    take::{FromCall, slot},
};
use crate::{
    dialect::params::{decode, meta_of},
    schema::Method,
};

/// An extension request, declared with `#[ext("_vendor/name")]`.
#[derive(Debug)]
pub struct Ext;

/// An extension notification, declared with `#[ext(notification = "_vendor/name")]`.
#[derive(Debug)]
pub struct ExtNotification;

/// An extension method, declared with `#[ext(M)]`. `acp-codegen` generates the marker `M` from a vendor's schema; `M` names
/// the types of the params and of the answer.
#[derive(Debug)]
pub struct ExtOf<M>(PhantomData<fn() -> M>);

macro_rules! extension {
    ($method:ty $(, $generic:ident)?: $response:ty) => {
        impl $(<$generic: Method>)? Handled for $method {
            type Params = Box<RawValue>;
            type Response = $response;

            fn decode(_: &str, params: Option<&RawValue>) -> Result<Received<Self>> {
                let params = params.map_or_else(|| RawValue::NULL.to_owned(), ToOwned::to_owned);
                let meta = meta_of(&params);
                Ok(Received { params, session: None, meta })
            }
        }
    };
}
extension!(Ext: Box<RawValue>);
extension!(ExtNotification: ());
extension!(ExtOf<M>, M: M::Response);

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> FromCall<'_, Ext> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'_, Ext>) -> Result<Self> {
        decode(parts.method(), Some(&*parts.request()?))
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> FromCall<'_, ExtNotification> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'_, ExtNotification>) -> Result<Self> {
        decode(parts.method(), Some(&*parts.request()?))
    }
}

#[diagnostic::do_not_recommend]
impl<M: Method<Params = T>, T: DeserializeOwned> FromCall<'_, ExtOf<M>> for T {
    const SLOT: u32 = slot::REQUEST;

    fn from_call(parts: &mut Parts<'_, ExtOf<M>>) -> Result<Self> {
        decode(parts.method(), Some(&*parts.request()?))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoAnswer<Ext, Itself> for T {
    fn answer(self) -> Result<Box<RawValue>> {
        own_answer(&self).map_err(Error::from)
    }
}

#[diagnostic::do_not_recommend]
impl IntoAnswer<ExtNotification, Short> for () {
    fn answer(self) -> Result<()> {
        Ok(())
    }
}

#[diagnostic::do_not_recommend]
impl<M: Method<Response = T>, T: Serialize + Send + 'static> IntoAnswer<ExtOf<M>, Itself> for T {
    fn answer(self) -> Result<T> {
        Ok(self)
    }
}
