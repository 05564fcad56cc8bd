//! The params and the answers of methods of one's own. Their types are the author's.
//!
//! The methods of the protocol have objects: absent params count as `{}`, and an answer without content is `{}`. Here, `()` is such
//! an object without content. Peers also send `null` or `[]` for it, and so did older versions of this crate, so all of these
//! are read.

use serde::{
    Serialize,
    de::{self, DeserializeOwned, Deserializer, Visitor, value},
};
use serde_json::value::{RawValue, to_raw_value};

/// Reads params, or an answer. If the type needs no content, `null` and `{}` have the same meaning. `()` and other units also accept
/// `[]`. They ignore unknown members, as structs do, because any object may contain `_meta`.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    // Not the decoder beside this file: the author's type may ask for what only serde_json reads, such as 128 bits.
    let read = serde_json::from_str(text);
    let read = if text == "null" { read.or_else(|_| serde_json::from_str("{}")) } else { read };
    read.or_else(|error| {
        let is_nothing = text.starts_with('{') || serde_json::from_str::<[(); 0]>(text).is_ok();
        is_nothing.then(|| T::deserialize(Nothing).ok()).flatten().ok_or(error)
    })
}

/// Writes an answer. That of a unit, such as `()`, is `{}`.
pub fn answer<T: Serialize>(answer: &T) -> serde_json::Result<Box<RawValue>> {
    let written = to_raw_value(answer)?;
    // `None` and `Value::Null` are values that the author has chosen. A unit has no size, so it has no other value.
    let is_unit = size_of::<T>() == 0 && written.get() == "null";
    if is_unit { RawValue::from_string("{}".to_owned()) } else { Ok(written) }
}

/// A deserializer for types without content. For all other types it fails.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = value::Error;

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, value::Error> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Err(de::Error::custom("this is something"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[derive(Serialize)]
    struct Done;

    #[derive(Serialize)]
    struct Empty {}

    #[test]
    fn a_unit_is_answered_as_an_object_and_a_null_of_the_author_stays() {
        let written = |answer: serde_json::Result<Box<RawValue>>| answer.unwrap().get().to_owned();
        assert_eq!([written(answer(&())), written(answer(&Done)), written(answer(&Empty {}))], ["{}"; 3]);
        assert_eq!([written(answer(&Value::Null)), written(answer(&None::<u8>))], ["null"; 2]);
        assert_eq!(written(answer(&Some(()))), "null", "the author's type is an option");
        assert_eq!(written(answer(&[(); 0])), "[]");
    }
}
