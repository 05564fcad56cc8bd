//! Decodes `_meta`, within limits, because the decoded values of a small JSON text can be large.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::Meta;

/// If `_meta` has more values, it is not decoded. A megabyte of digits and commas would become sixteen megabytes of
/// values.
const MOST_VALUES: usize = 64 * 1024;

/// Reads metadata. `None` if the value is not an object, or if the object is too large.
pub fn meta_or_default<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Meta>, D::Error> {
    let mut left = MOST_VALUES;
    match Values(&mut left).deserialize(deserializer)? {
        Some(Value::Object(meta)) => Ok(Some(meta)),
        None => {
            // Authors know the runtime by this name, so a filter for the runtime also finds this event.
            tracing::debug!(target: "acp_runtime::schema", "left out a `_meta` of more than {MOST_VALUES} values");
            Ok(None)
        }
        Some(_) => Ok(None),
    }
}

/// Counts the values down while it reads them. At 0, it skips the rest.
struct Values<'a>(&'a mut usize);

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = Option<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        match self.0.checked_sub(1) {
            Some(left) => {
                *self.0 = left;
                deserializer.deserialize_any(self)
            }
            None => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| None),
        }
    }
}

impl<'de> Visitor<'de> for Values<'_> {
    type Value = Option<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Option<Value>, E> {
        Ok(Some(Value::Bool(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Option<Value>, E> {
        Ok(Some(Value::Number(value.into())))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Option<Value>, E> {
        Ok(Some(Value::Number(value.into())))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Option<Value>, E> {
        Ok(Some(Number::from_f64(value).map_or(Value::Null, Value::Number)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<Value>, E> {
        Ok(Some(Value::String(text.to_owned())))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Option<Value>, E> {
        Ok(Some(Value::String(text)))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<Value>, E> {
        Ok(Some(Value::Null))
    }

    fn visit_none<E: Error>(self) -> Result<Option<Value>, E> {
        Ok(Some(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Value>, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<Value>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Values(self.0))? {
            let Some(item) = item else {
                drop(items);
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(None);
            };
            items.push(item);
        }
        Ok(Some(Value::Array(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Option<Value>, A::Error> {
        let mut members = Map::new();
        while let Some(key) = object.next_key::<String>()? {
            let Some(value) = object.next_value_seed(Values(self.0))? else {
                drop(members);
                while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(None);
            };
            members.insert(key, value);
        }
        Ok(Some(Value::Object(members)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Meta> {
        let mut json = serde_json::Deserializer::from_str(json);
        let meta = meta_or_default(&mut json).expect("nothing but broken JSON is an error");
        json.end().expect("all was read");
        meta
    }

    /// An object with this number of values, including itself.
    fn of(values: usize) -> String {
        format!(r#"{{"a":[{}0],"z":{{"last":true}}}}"#, "0,".repeat(values - 5))
    }

    #[test]
    fn metadata_is_read_as_it_stands() {
        let json = r#"{"a":[1,-2,2.5,null,true,"é\n"],"b":{"c":{}},"d":18446744073709551615}"#;
        assert_eq!(Value::Object(read(json).unwrap()), serde_json::from_str::<Value>(json).unwrap());
        for other in ["null", "5", "[{}]", "\"x\"", "true"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_nobody_would_look_into_is_left_out_and_passed_over() {
        let kept = read(&of(MOST_VALUES)).unwrap();
        assert_eq!(kept["a"].as_array().unwrap().len(), MOST_VALUES - 4);
        assert_eq!(kept["z"]["last"], Value::Bool(true));
        assert_eq!(read(&of(MOST_VALUES + 1)), None);
        assert_eq!(read(&format!(r#"{{"deep":{}}}"#, of(MOST_VALUES))), None);
    }
}
