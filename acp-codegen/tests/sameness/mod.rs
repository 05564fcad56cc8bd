//! Checks whether a value has come back unchanged. The test `foreign` of the workspace also uses this file.

use serde_json::Value;

/// Whether two values are the same in JSON. There, `1` and `1.0` are the same number, but a value that came as `1` must
/// not come back as `1.0`.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Number(one), Value::Number(other)) => one == other || one.is_f64() && one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    }
}
