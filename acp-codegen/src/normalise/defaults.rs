//! A default that is not the one of its Rust type stays with whoever reads the field: it becomes an `Option`, whose
//! documentation says what absence means. Only drafts of 2026 have one (`AuthEnvVar.secret`).

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::walk;
use crate::source::dialect::takes_null;

/// What such a default is called from here on. No file has this key: it is no keyword, and those of others begin with `x-`.
pub(crate) const ABSENT: &str = "absent";

pub(super) fn set_aside(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: HashSet<String> = required.filter_map(Value::as_str).map(str::to_owned).collect();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        let optional = properties.iter_mut().filter(|(name, _)| !required.contains(name.as_str()));
        optional.filter_map(|(_, property)| property.as_object_mut()).for_each(of_property);
    });
}

fn of_property(property: &mut Map<String, Value>) {
    let Some(default) = property.get("default") else { return };
    // What may be `null` becomes an `Option`, of which no other value is the default.
    let stays = match (takes_null(property), default) {
        (true, Value::Null) => {
            property.remove("default");
            return;
        }
        // A rule reads `null` as the default, so the type needs no `Option`.
        (true, default) => reads_null(property) && !is_other(default),
        (false, default) => !property.get("type").is_some_and(Value::is_string) || !is_other(default),
    };
    if stays {
        return;
    }
    let Some(default) = property.remove("default") else { return };
    property.insert(ABSENT.to_owned(), without_fraction(default));
}

fn reads_null(property: &Map<String, Value>) -> bool {
    let rules = ["x-deserialize-default-on-error", "x-deserialize-default-on-null"];
    rules.iter().any(|rule| property.get(*rule).is_some_and(|set| *set == true))
}

/// Whether a plain value is another than the default of its type.
fn is_other(default: &Value) -> bool {
    match default {
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    }
}

/// `5.0` is the number `5`.
fn without_fraction(default: Value) -> Value {
    // All whole numbers up to here have a float of their own, so none is taken for another.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match default.as_f64() {
        Some(number) if default.is_f64() && number.fract() == 0.0 && number.abs() < EXACT => Value::from(number as i64),
        _ => default,
    }
}
