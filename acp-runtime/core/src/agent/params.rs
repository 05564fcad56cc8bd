//! Params as the methods of an agent take them. They are decoded here, for all agents alike, and not compiled again in
//! each agent's crate.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    values::{InitializeRequest, Meta, SessionId, SetSessionModeRequest},
    wire::{Error, Result, decode},
};

/// What a method takes.
pub trait Params: Sized + Send + 'static {
    /// Decodes them.
    ///
    /// # Errors
    ///
    /// They are not what the method takes.
    fn decode(params: Option<&RawValue>) -> Result<Self>;

    /// Their `_meta`.
    fn meta(&self) -> Option<Meta>;
}

/// Of extensions whatever is sent: their handlers say what it must be.
impl Params for Box<RawValue> {
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        Ok(params.map_or_else(|| RawValue::NULL.to_owned(), ToOwned::to_owned))
    }

    fn meta(&self) -> Option<Meta> {
        OfAny::read(self).meta()
    }
}

/// The params of a method of the protocol.
macro_rules! decoded_here {
    ($params:ident) => {
        impl crate::agent::params::Params for $params {
            // Else what it calls would be compiled for each caller after all.
            #[inline(never)]
            fn decode(params: Option<&serde_json::value::RawValue>) -> crate::wire::Result<Self> {
                crate::agent::params::object(params)
            }

            #[inline(never)]
            fn meta(&self) -> Option<crate::values::Meta> {
                self.meta.clone()
            }
        }
    };
}

pub(crate) use decoded_here;

decoded_here!(InitializeRequest);
decoded_here!(SetSessionModeRequest);

/// Absent params, `null` and `{}` are alike to methods that need nothing.
pub(crate) fn object<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T> {
    let text = params.map_or("{}", RawValue::get);
    let text = if text == "null" { "{}" } else { text };
    // Structs of serde would take arrays by position; the protocol has named parameters only.
    if text.starts_with('[') {
        return Err(Error::invalid_params("`params` is a list; this method takes an object"));
    }
    decode::from_json(text).map_err(|error| Error::undecodable_params_of(text, &error))
}

/// The parameters of an extension, decoded. Absent, `null` and `{}` are alike to types that need nothing.
pub(crate) fn of_extension<T: DeserializeOwned>(params: &RawValue) -> Result<T> {
    let decoded = serde_json::from_str(params.get());
    let decoded = if params.get() == "null" { decoded.or_else(|_| serde_json::from_str("{}")) } else { decoded };
    decoded.map_err(|error| Error::undecodable_extension_of::<T>(params.get(), &error))
}

/// The session that the parameters of an extension name.
pub(crate) fn session_id(params: &RawValue) -> Option<SessionId> {
    serde_json::from_str(OfAny::read(params).session_id?.get()).ok()
}

/// What the protocol's own methods have, and extensions may: their parameters are any JSON.
#[derive(Default, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfAny<'p> {
    #[serde(borrow)]
    session_id: Option<&'p RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'p RawValue>,
}

impl<'p> OfAny<'p> {
    fn read(params: &'p RawValue) -> Self {
        // An array would be read by position.
        let is_object = params.get().starts_with('{');
        if is_object { serde_json::from_str(params.get()).unwrap_or_default() } else { Self::default() }
    }

    fn meta(&self) -> Option<Meta> {
        serde_json::from_str(self.meta?.get()).ok()
    }
}
