//! Numbers that may have a fraction. A whole number is written without a fraction, as it was received. `1` and `1.0`
//! are the same number in JSON, but some readers treat them differently.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

use crate::MaybeUndefined;

/// Writes a number, or a list or map of numbers.
pub fn number<T: Number, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

/// A number, or a list or map of numbers.
pub trait Number {
    /// Writes the value.
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Below this number, every whole number is an `f64`. Above it, some are not.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number for f64 {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let negative_zero = *self == 0.0 && self.is_sign_negative();
        if self.fract() == 0.0 && self.abs() <= EXACT && !negative_zero {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole, and not too large")]
            return serializer.serialize_i64(*self as i64);
        }
        serializer.serialize_f64(*self)
    }
}

/// Writes the inner numbers in the same way.
struct Inner<'a, T>(&'a T);

impl<T: Number> Serialize for Inner<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<T: Number> Number for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Inner(value)),
            None => serializer.serialize_none(),
        }
    }
}

impl<T: Number> Number for MaybeUndefined<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.write(serializer),
            Self::Null | Self::Undefined => serializer.serialize_none(),
        }
    }
}

impl<T: Number> Number for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        self.iter().try_for_each(|item| list.serialize_element(&Inner(item)))?;
        list.end()
    }
}

impl<T: Number> Number for BTreeMap<String, T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        self.iter().try_for_each(|(key, value)| map.serialize_entry(key, &Inner(value)))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_has_no_fraction_and_any_other_stays() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0.0"),
            (1.0, "1"),
            (-3.0, "-3"),
            (0.5, "0.5"),
            (EXACT, "9007199254740992"),
            (-EXACT, "-9007199254740992"),
            (1e300, "1e+300"),
            (5e-324, "5e-324"),
        ];
        for (number, text) in cases {
            assert_eq!(serde_json::to_string(&Inner(&number)).unwrap(), text);
            assert_eq!(serde_json::from_str::<f64>(text).unwrap().to_bits(), number.to_bits());
        }
    }

    #[test]
    fn the_rule_reaches_into_what_holds_numbers() {
        let map = BTreeMap::from([("a".to_owned(), vec![Some(1.0), None, Some(1.5)])]);
        assert_eq!(serde_json::to_string(&Inner(&map)).unwrap(), r#"{"a":[1,null,1.5]}"#);
        let states = vec![MaybeUndefined::Value(2.0), MaybeUndefined::Null];
        assert_eq!(serde_json::to_string(&Inner(&states)).unwrap(), "[2,null]");
    }
}
