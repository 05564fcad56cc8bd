//! The decoder from params to values. A prompt can contain a file or a picture. serde_json takes three
//! times as long for a long string without escapes, and has a second copy of a string with escapes for a moment. (It is a
//! fifth faster for a text with three escapes in each line.)
//!
//! The text was already checked to be JSON, so this decoder does not check it again. If a value does not fit, the error
//! has serde_json's words and the place where serde_json would stop. Serde reads a whole union before it decides, so
//! the place is then the union's own.

use std::{borrow::Cow, fmt};

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::{Error, Number, Result, Value};

use super::escape::unescape;
use super::scan::{self, Found};

/// Decodes a text that was already checked to be JSON, such as the text of a [`RawValue`](serde_json::value::RawValue).
pub fn from_json<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T> {
    T::deserialize(&mut Reader { text, at: scan::space(text.as_bytes(), 0), deeper: DEEPEST })
}

/// The limit of nested lists and objects, because each needs stack. serde_json has the same limit.
const DEEPEST: u8 = 127;

/// Reads the value at `at`, and stops after it.
struct Reader<'de> {
    /// The JSON text.
    text: &'de str,
    at: usize,
    deeper: u8,
}

impl<'de> Reader<'de> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    /// The next byte after white space.
    fn next(&mut self) -> u8 {
        self.at = scan::space(self.text.as_bytes(), self.at);
        self.peek()
    }

    /// Skips a value.
    fn skip(&mut self) -> Result<&'de str> {
        let start = self.at;
        self.at = scan::value(self.text.as_bytes(), start).ok_or_else(no_json)?;
        Ok(&self.text[start..self.at])
    }

    /// Reads a value that is not a string, a list or an object.
    fn scalar<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let read = match self.next_scalar()? {
            Unexpected::Unit => visitor.visit_unit(),
            Unexpected::Bool(value) => visitor.visit_bool(value),
            Unexpected::Unsigned(number) => visitor.visit_u64(number),
            Unexpected::Signed(number) => visitor.visit_i64(number),
            Unexpected::Float(number) => visitor.visit_f64(number),
            other => Err(Error::invalid_type(other, &visitor)),
        };
        read.map_err(|error| self.stopped(error))
    }

    fn next_scalar(&mut self) -> Result<Unexpected<'static>> {
        Ok(match self.skip()? {
            "null" => Unexpected::Unit,
            "true" => Unexpected::Bool(true),
            "false" => Unexpected::Bool(false),
            number => unexpected_number(&serde_json::from_str(number)?),
        })
    }

    /// The error for this value if a type expects another kind of value.
    #[cold]
    #[inline(never)]
    fn misfit(&mut self, expected: &dyn Expected) -> Error {
        let error = match self.peek() {
            b'[' => Error::invalid_type(Unexpected::Seq, expected),
            b'{' => Error::invalid_type(Unexpected::Map, expected),
            _ => match self.skip().and_then(serde_json::from_str) {
                Ok(value) => Error::invalid_type(unexpected(&value), expected),
                Err(error) => return error,
            },
        };
        self.stopped(error)
    }

    fn string<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let read = match self.unescaped()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        };
        read.map_err(|error| self.stopped(error))
    }

    /// The next string. Like the other functions without a visitor, this one is compiled once, and not once a type.
    fn unescaped(&mut self) -> Result<Cow<'de, str>> {
        let start = self.at + 1;
        let scan::Text { end, escapes } = scan::string(self.text.as_bytes(), self.at).ok_or_else(no_json)?;
        self.at = end;
        let text = &self.text[start..end - 1];
        match escapes {
            0 => Ok(Cow::Borrowed(text)),
            _ => match unescape(text, escapes) {
                Some(text) => Ok(Cow::Owned(text)),
                None => Err(self.stopped(Error::custom("a broken escape"))),
            },
        }
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.within(b']', |reader| visitor.visit_seq(Items { reader, first: true }))
    }

    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.within(b'}', |reader| visitor.visit_map(Items { reader, first: true }))
    }

    fn within<T>(&mut self, bracket: u8, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enter()?;
        let read = read(self);
        self.leave(bracket, read.is_ok())?;
        read.map_err(|error| self.stopped(error))
    }

    fn enter(&mut self) -> Result<()> {
        self.at += 1;
        self.deeper = self.deeper.checked_sub(1).ok_or_else(too_deep)?;
        Ok(())
    }

    /// Reads the closing bracket. A value that was read must end here; a value that was refused has its own error.
    fn leave(&mut self, bracket: u8, was_read: bool) -> Result<()> {
        self.deeper += 1;
        let ended = self.next() == bracket;
        self.at += usize::from(ended);
        if was_read && !ended {
            return Err(self.stopped(Error::custom("trailing characters")));
        }
        Ok(())
    }

    /// Adds the reader's place to a visitor's error. An error from a nested value already has its own place.
    #[cold]
    #[inline(never)]
    fn stopped(&self, error: Error) -> Error {
        if error.line() == 0 { self.placed(self.at, &error.to_string()) } else { error }
    }

    /// An error at a place.
    fn placed(&self, at: usize, what: &str) -> Error {
        let before = &self.text.as_bytes()[..at];
        let line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let number = 1 + memchr::memchr_iter(b'\n', before).count();
        // serde_json reads a line and a column out of this form.
        Error::custom(format_args!("{what} at line {number} column {}", at - line))
    }
}

fn unexpected(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
        Value::Number(number) => unexpected_number(number),
    }
}

fn unexpected_number(number: &Number) -> Unexpected<'static> {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(number), ..) => Unexpected::Unsigned(number),
        (_, Some(number), _) => Unexpected::Signed(number),
        (.., number) => Unexpected::Float(number.unwrap_or(f64::NAN)),
    }
}

fn no_json() -> Error {
    Error::custom("raw JSON is no JSON")
}

/// serde_json's error for this case. serde_json has no constructor for it.
#[cold]
fn too_deep() -> Error {
    let deep = "[".repeat(usize::from(DEEPEST) + 1);
    serde_json::from_str::<Value>(&deep).err().unwrap_or_else(no_json)
}

/// Reads the value that a type expects, by the first bytes that such a value may have.
macro_rules! by_first_byte {
    ($($method:ident { $($byte:pat => $read:ident),* })*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.peek() {
                $($byte => self.$read(visitor),)*
                _ => Err(self.misfit(&visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Error;

    by_first_byte! {
        deserialize_str { b'"' => string }
        deserialize_string { b'"' => string }
        deserialize_identifier { b'"' => string }
        deserialize_char { b'"' => string }
        deserialize_bytes { b'"' => string, b'[' => list }
        deserialize_byte_buf { b'"' => string, b'[' => list }
        deserialize_seq { b'[' => list }
        deserialize_map { b'{' => object }
        deserialize_unit { b'n' => scalar }
        deserialize_bool { b't' | b'f' => scalar }
        deserialize_i8 { b'-' | b'0'..=b'9' => scalar }
        deserialize_i16 { b'-' | b'0'..=b'9' => scalar }
        deserialize_i32 { b'-' | b'0'..=b'9' => scalar }
        deserialize_i64 { b'-' | b'0'..=b'9' => scalar }
        deserialize_u8 { b'-' | b'0'..=b'9' => scalar }
        deserialize_u16 { b'-' | b'0'..=b'9' => scalar }
        deserialize_u32 { b'-' | b'0'..=b'9' => scalar }
        deserialize_u64 { b'-' | b'0'..=b'9' => scalar }
        deserialize_f32 { b'-' | b'0'..=b'9' => scalar }
        deserialize_f64 { b'-' | b'0'..=b'9' => scalar }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek() {
            b'"' => self.string(visitor),
            b'[' => self.list(visitor),
            b'{' => self.object(visitor),
            _ => self.scalar(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek() {
            b'[' => self.list(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    /// Reads an enum: a variant's name, or an object with one member whose key is the name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.peek() {
            b'"' => visitor.visit_enum(self.string(Name)?.into_deserializer()),
            b'{' => self
                .within(b'}', |reader| visitor.visit_enum(MapAccessDeserializer::new(Items { reader, first: true }))),
            _ => Err(self.misfit(&visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek() == b'n' {
            self.skip()?;
            return visitor.visit_none().map_err(|error| self.stopped(error));
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        // If serde wants raw JSON, it asks for a struct with such a name. No other type has one.
        match name.starts_with('$') {
            true => Found(self.skip()?).deserialize_newtype_struct(name, visitor),
            false => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }
}

/// Reads a string unchanged.
struct Name;

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<String, E> {
        Ok(text.to_owned())
    }
}

/// The elements of a list, or the members of an object.
struct Items<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
}

impl<'de> Items<'_, 'de> {
    /// Goes to the next part. Returns false if there is none.
    #[inline(never)]
    fn advance(&mut self) -> bool {
        match self.reader.next() {
            b']' | b'}' => return false,
            b',' if !self.first => {
                self.reader.at += 1;
                self.reader.next();
            }
            _ => {}
        }
        self.first = false;
        true
    }

    /// Goes from a key to its value.
    #[inline(never)]
    fn colon(&mut self) {
        if self.reader.next() == b':' {
            self.reader.at += 1;
            self.reader.next();
        }
    }

    /// Reads a value. If the value is read and then refused, the error's place is here, as in serde_json, and not the
    /// end of the list or object.
    fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        seed.deserialize(&mut *self.reader).map_err(|error| self.reader.stopped(error))
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.advance() { self.value(seed).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.advance() { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.colon();
        self.value(seed)
    }
}

#[cfg(test)]
#[path = "decode_tests.rs"]
mod tests;
