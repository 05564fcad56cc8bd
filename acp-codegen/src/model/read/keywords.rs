//! Checks which keywords stand together. The dialect check knows each single keyword. This module refuses a combination
//! of which the model would read only a part, because the other part would be lost silently.

use serde_json::Value;

use crate::error::{Place, Result};
use crate::source::dialect::STRUCTURE;

/// Refuses every keyword that shapes the type, except for the keywords in `allowed`.
pub(super) fn only(schema: &Value, allowed: &[&str], at: &Place<'_>) -> Result<()> {
    let mut keys = schema.as_object().into_iter().flatten().map(|(key, _)| key);
    let extra = keys.find(|key| STRUCTURE.contains(&key.as_str()) && !allowed.contains(&key.as_str()));
    extra.map_or(Ok(()), |key| {
        Err(at.key(key).unsupported(
            format!("`{key}` does not go together with what else stands here"),
            "take out one of them, or make two definitions that say one thing each, in the schema or in a copy of it",
        ))
    })
}

/// Refuses every `type` except for `name`.
pub(super) fn typed(schema: &Value, name: &str, at: &Place<'_>) -> Result<()> {
    match schema.get("type") {
        Some(kind) if kind != name => Err(at
            .key("type")
            .unsupported(format!("this is described as `{name}`, but has another type"), "correct one")),
        _ => Ok(()),
    }
}
