//! What an agent of a later version sent, where the values have another shape. It stands in the `_meta` of the value that
//! it became.

use serde_json::{Map, Value, json};

use crate::values::Meta;

/// The name in `_meta`.
const KEY: &str = "acp_client/original";

/// Adds the original to a value.
pub(crate) fn keep(value: &mut Map<String, Value>, original: Value) {
    let meta = value.entry("_meta").or_insert_with(|| json!({}));
    if !meta.is_object() {
        *meta = json!({});
    }
    meta[KEY] = original;
}

/// The original in a `_meta`.
pub(crate) fn of(meta: Option<&Meta>) -> Option<&Value> {
    meta?.get(KEY)
}
