//! A type for each form of an extension that a client handles.

use std::marker::PhantomData;

use acp_handlers::slot;
use acp_peer::{Error, Result, wire::own::answer as own_answer};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    handled::{Handled, Received},
    lent::Parts,
    markers::answers,
    take::FromCall,
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
                Ok(Received { params: Some(params), session: None, meta })
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generic: Method<Params = T>,)? T: DeserializeOwned> FromCall<'_, $method> for T {
            const SLOT: u32 = slot::REQUEST;

            fn from_call(parts: &mut Parts<'_, $method>) -> Result<Self> {
                decode(parts.method(), Some(&*parts.request()?))
            }
        }
    };
}
extension!(Ext: Box<RawValue>);
extension!(ExtNotification: ());
extension!(ExtOf<M>, M: M::Response);

answers! {
    [T: Serialize] Ext: T as Itself = |value| own_answer(&value).map_err(Error::from);
    ExtNotification: () as Short = |()| Ok(());
    [M: Method<Response = T>, T: Serialize + Send + 'static] ExtOf<M>: T as Itself = |answer| Ok(answer);
}
