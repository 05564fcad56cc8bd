//! Params as the methods of an agent take them. They are decoded here, for all agents alike, and not compiled again in
//! each agent's crate.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    schema::v1::*,
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
}

/// Of extensions whatever is sent: their handlers say what it must be.
impl Params for Box<RawValue> {
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        Ok(params.map_or_else(|| RawValue::NULL.to_owned(), ToOwned::to_owned))
    }
}

macro_rules! decoded_here {
    ($($params:ident)*) => {$(
        impl Params for $params {
            // Else what it calls would be compiled for each caller after all.
            #[inline(never)]
            fn decode(params: Option<&RawValue>) -> Result<Self> {
                object(params)
            }
        }
    )*};
}

decoded_here! {
    InitializeRequest AuthenticateRequest LogoutRequest
    NewSessionRequest LoadSessionRequest ResumeSessionRequest CloseSessionRequest DeleteSessionRequest ListSessionsRequest
    PromptRequest CancelNotification SetSessionModeRequest
}

/// Absent params, `null` and `{}` are alike to methods that need nothing.
fn object<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T> {
    let text = params.map_or("{}", RawValue::get);
    let text = if text == "null" { "{}" } else { text };
    // Structs of serde would take arrays by position; the protocol has named parameters only.
    if text.starts_with('[') {
        return Err(Error::invalid_params("`params` is a list; this method takes an object"));
    }
    decode::from_str(text).map_err(|error| Error::undecodable_params(&error))
}
