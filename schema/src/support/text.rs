//! Reads texts and raw values with as few copies as possible.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::value::RawValue;

/// Reads a shared text. If the text can be borrowed from the input, there is only one allocation.
pub fn shared_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
    word(deserializer)
}

/// Reads a value that is made from a text.
pub fn word<'de, D: Deserializer<'de>, T: for<'a> From<&'a str>>(deserializer: D) -> Result<T, D::Error> {
    struct Text<T>(PhantomData<T>);

    impl<T: for<'a> From<&'a str>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            Ok(text.into())
        }
    }

    deserializer.deserialize_str(Text(PhantomData))
}

/// Reads any JSON, and keeps its text.
pub fn shared_raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<RawValue>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Arc::from)
}
