//! The branch of an open union for values that this version of the protocol does not know.

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

/// Reads an object that has the `required` keys, and whose tag is not in `known`. Returns the tag and the other
/// members.
pub fn unknown<'de, D: Deserializer<'de>>(
    deserializer: D,
    tag: &'static str,
    known: &[&str],
    required: &[&'static str],
) -> Result<(String, Map<String, Value>), D::Error> {
    let mut fields = Map::deserialize(deserializer)?;
    let Some(Value::String(word)) = fields.remove(tag) else {
        return Err(D::Error::missing_field(tag));
    };
    if known.contains(&word.as_str()) {
        return Err(D::Error::custom(format_args!("the `{tag}` is known, but the rest does not fit it")));
    }
    match required.iter().find(|key| !fields.contains_key(**key)) {
        Some(missing) => Err(D::Error::missing_field(missing)),
        None => Ok((word, fields)),
    }
}
