//! Params to values. A string with escapes takes its own memory and no more: serde_json collects it in a buffer of its
//! own and copies it, and a prompt can hold a file.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Decodes a JSON text.
pub(crate) fn from_str<'de, T: Deserialize<'de>>(text: &'de str) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Lean(&mut json, LOOKS))?;
    json.end()?;
    Ok(value)
}

/// To learn whether a value of any type is a string, it is read through once more, and within it the values of any type
/// again. This often: enough for a content block whose text stands before its type, and no more, or deep nesting would
/// cost its depth.
const LOOKS: u8 = 2;

/// A part of decoding that passes on all but strings, and whose parts do the same; and how many looks are left.
struct Lean<T>(T, u8);

macro_rules! pass_on {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Lean<D> {
    type Error = D::Error;

    pass_on! {
        deserialize_bool(); deserialize_i8(); deserialize_i16(); deserialize_i32(); deserialize_i64();
        deserialize_u8(); deserialize_u16(); deserialize_u32(); deserialize_u64(); deserialize_f32(); deserialize_f64();
        deserialize_char(); deserialize_str(); deserialize_bytes(); deserialize_byte_buf(); deserialize_unit();
        deserialize_unit_struct(name: &'static str); deserialize_newtype_struct(name: &'static str);
        deserialize_tuple(len: usize); deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier(); deserialize_ignored_any();
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        match self.1.checked_sub(1) {
            Some(looks) => value(<&RawValue>::deserialize(self.0)?.get(), Lean(visitor, looks)),
            None => self.0.deserialize_any(Lean(visitor, 0)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        value(<&RawValue>::deserialize(self.0)?.get(), Lean(visitor, 0))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_option(Lean(visitor, self.1))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_seq(Lean(visitor, self.1))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Lean(visitor, self.1))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, Lean(visitor, self.1))
    }
}

/// Reads a value that may be a string.
fn value<'de, V: Visitor<'de>, E: Error>(raw: &'de str, visitor: Lean<V>) -> Result<V::Value, E> {
    match raw.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) if memchr::memchr(b'\\', text.as_bytes()).is_none() => visitor.0.visit_borrowed_str(text),
        Some(text) => visitor.0.visit_string(unescape(text).ok_or_else(|| E::custom("a broken escape"))?),
        None => serde_json::Deserializer::from_str(raw).deserialize_any(visitor).map_err(placeless),
    }
}

/// The error without its place, which was counted from the start of the value.
fn placeless<E: Error>(error: serde_json::Error) -> E {
    let text = error.to_string();
    E::custom(text.rfind(" at line ").map_or(text.as_str(), |at| &text[..at]))
}

macro_rules! pass_on_visits {
    ($($method:ident($($value:ident: $type:ty)?);)*) => {$(
        fn $method<E: Error>(self, $($value: $type)?) -> Result<V::Value, E> {
            self.0.$method($($value)?)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Lean<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    pass_on_visits! {
        visit_bool(value: bool); visit_i64(value: i64); visit_u64(value: u64); visit_f64(value: f64);
        visit_str(value: &str); visit_borrowed_str(value: &'de str); visit_string(value: String);
        visit_none(); visit_unit();
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Lean(deserializer, self.1))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Lean(list, self.1))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Lean(map, self.1))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Lean<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Lean(deserializer, self.1))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Lean<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Lean(seed, self.1))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Lean<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Lean(seed, self.1))
    }
}

/// The string that stands between the quotes; none if it is no text, because half of a surrogate pair is missing.
fn unescape(escaped: &str) -> Option<String> {
    // Each escape is longer by one at least than what it stands for.
    let mut text = String::with_capacity(escaped.len() - escapes(escaped)?);
    let mut rest = escaped;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        text.push_str(&rest[..at]);
        let escape = *rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        text.push(match escape {
            b'"' | b'\\' | b'/' => char::from(escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => unicode(&mut rest)?,
            _ => return None,
        });
    }
    text.push_str(rest);
    Some(text)
}

fn escapes(escaped: &str) -> Option<usize> {
    let (mut count, mut rest) = (0, escaped.as_bytes());
    while let Some(at) = memchr::memchr(b'\\', rest) {
        count += 1;
        rest = rest.get(at + 2..)?;
    }
    Some(count)
}

/// The character of one `\uXXXX`, or of two that are a surrogate pair; `rest` begins behind the first `u`.
fn unicode(rest: &mut &str) -> Option<char> {
    let first = hex(rest)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    *rest = rest.strip_prefix("\\u")?;
    let second = hex(rest)?;
    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    char::from_u32(0x10000 + ((first - 0xd800) << 10) + low)
}

fn hex(rest: &mut &str) -> Option<u32> {
    let (digits, behind) = rest.split_at_checked(4)?;
    *rest = behind;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
