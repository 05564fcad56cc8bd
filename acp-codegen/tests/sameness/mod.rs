//! When a value has come back as it was. The test `foreign` of the workspace reads this file, too.

use serde_json::Value;

/// Whether two values are the same to JSON, for which `1` and `1.0` are. What came as `1` does not come back as `1.0`.
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
