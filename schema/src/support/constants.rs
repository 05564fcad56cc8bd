//! Reads values that are always the same.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// Reads this text. Any other value is an error.
pub fn constant_text<'de, D: Deserializer<'de>>(deserializer: D, text: &'static str) -> Result<(), D::Error> {
    deserializer.deserialize_str(Text(text))
}

/// Reads this number. Any other value is an error.
pub fn constant_number<'de, D: Deserializer<'de>>(deserializer: D, number: i64) -> Result<(), D::Error> {
    deserializer.deserialize_any(Whole(number))
}

struct Text(&'static str);

impl Visitor<'_> for Text {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text `{}`", self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        is(text == self.0, &self)
    }
}

/// Returns an error if the values differ. serde's own error would quote the other value, which a peer can make as long
/// as it wants.
fn is<'de, E: Error>(same: bool, constant: &impl Visitor<'de>) -> Result<(), E> {
    if same { Ok(()) } else { Err(E::custom(format_args!("this is not {}", constant as &dyn serde::de::Expected))) }
}

struct Whole(i64);

impl Visitor<'_> for Whole {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the number {}", self.0)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        is(number == self.0, &self)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        is(i64::try_from(number) == Ok(self.0), &self)
    }

    /// Accepts `1.0`, because it is the integer 1 in JSON Schema.
    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        #[expect(clippy::cast_precision_loss, reason = "a constant is as exact as the number that it is compared with")]
        let constant = self.0 as f64;
        is(number == constant, &self)
    }
}
