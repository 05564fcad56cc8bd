//! The params of an agent's methods. This crate decodes them for all agents. Otherwise each agent's crate would compile
//! the decoders again.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::{
    values::{Meta, SessionId, SetSessionModeRequest},
    wire::{Error, Result, decode, own, undecodable},
};

/// The params of a method.
pub trait Params: Sized + Send + 'static {
    /// Decodes the params.
    ///
    /// # Errors
    ///
    /// The JSON does not fit the type.
    fn decode(params: Option<&RawValue>) -> Result<Self>;

    /// The `_meta` of the params.
    fn meta(&self) -> Option<Meta>;
}

/// Extension params stay raw; the handler's type decodes them.
impl Params for Box<RawValue> {
    fn decode(params: Option<&RawValue>) -> Result<Self> {
        Ok(params.map_or_else(|| RawValue::NULL.to_owned(), ToOwned::to_owned))
    }

    fn meta(&self) -> Option<Meta> {
        OfAny::read(self).meta()
    }
}

/// Implements [`Params`] for a method of the protocol.
macro_rules! decoded_here {
    ($params:ident) => {
        impl crate::agent::params::Params for $params {
            // Without this attribute, each caller would compile the called functions again.
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

decoded_here!(SetSessionModeRequest);

/// Decodes an object. If a method needs no params, absent params, `null` and `{}` have the same meaning.
pub(crate) fn object<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T> {
    let text = params.map_or("{}", RawValue::get);
    let text = if text == "null" { "{}" } else { text };
    // Serde's structs would also read arrays, by position. The protocol's params have names only.
    if text.starts_with('[') {
        return Err(Error::invalid_params("`params` is a list; this method takes an object"));
    }
    decode::from_json(text).map_err(|error| {
        let again = |text: &str| decode::from_json::<T>(text).map(drop);
        undecodable::of_method(text, &error, &again)
    })
}

/// Decodes the params of a method of one's own.
pub(crate) fn of_extension<T: DeserializeOwned>(params: &RawValue) -> Result<T> {
    own::read(params.get()).map_err(|error| undecodable::of_own_method::<T>(params.get(), &error))
}

/// The session that the parameters of an extension name.
pub(crate) fn session_id(params: &RawValue) -> Option<SessionId> {
    decode::from_json(OfAny::read(params).session_id?.get()).ok()
}

/// The field that the protocol's own methods have and extensions may have. The params of an extension may be any JSON.
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
        // Serde would also read an array, by position.
        let is_object = params.get().starts_with('{');
        if is_object { decode::from_json(params.get()).unwrap_or_default() } else { Self::default() }
    }

    fn meta(&self) -> Option<Meta> {
        decode::from_json(self.meta?.get()).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Unit;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Sized {
        size: u8,
    }

    fn read<T: DeserializeOwned>(params: &str) -> std::result::Result<T, String> {
        let params: Box<RawValue> = serde_json::from_str(params).unwrap();
        of_extension(&params).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_handler_that_takes_nothing_takes_every_way_to_send_nothing() {
        for nothing in ["null", "{}", "[]", "[ ]", r#"{"_meta":{"trace":1},"unknown":[1]}"#] {
            assert_eq!(read::<()>(nothing), Ok(()), "{nothing}");
            assert_eq!(read::<Unit>(nothing), Ok(Unit), "{nothing}");
            assert_eq!(read::<Box<()>>(nothing), Ok(Box::new(())), "{nothing}");
        }
        assert_eq!(read::<()>("[1]"), Err("invalid params: expected unit (line 1, column 0)".to_owned()));
        assert_eq!(read::<()>("5"), Err("invalid params: expected unit (line 1, column 1)".to_owned()));
    }

    /// Wrong params must not count as absent params.
    #[test]
    fn a_handler_that_takes_something_is_not_called_with_nothing() {
        fn refused<T: DeserializeOwned + Debug>() {
            for wrong in ["{}", "[]", r#"{"size":"5"}"#] {
                assert!(read::<T>(wrong).is_err(), "{wrong}");
            }
        }
        refused::<Sized>();
        refused::<(u8,)>();
        assert!(read::<Option<Sized>>(r#"{"size":"5"}"#).is_err());
        assert_eq!(read::<Option<Sized>>("null"), Ok(None));
        assert_eq!(read::<Option<Sized>>(r#"{"size":5}"#), Ok(Some(Sized { size: 5 })));
        assert_eq!(read::<Vec<u8>>("[]"), Ok(Vec::new()));
    }
}
