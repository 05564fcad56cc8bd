//! Brings a `default` into the only form that the model reads: it belongs to a property that may be absent, and it is
//! not `null`. Generators of schemas write `null` if there is no default. The default of a required property has no
//! meaning for a reader.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::walk;

pub(super) fn tidy(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: HashSet<String> = required.filter_map(Value::as_str).map(str::to_owned).collect();
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        for (name, property) in properties {
            if let Some(property) = property.as_object_mut() {
                of_property(property, required.contains(name));
            }
        }
    });
}

fn of_property(property: &mut Map<String, Value>, required: bool) {
    match property.get_mut("default") {
        Some(default) if !required && !default.is_null() => *default = without_fraction(default.take()),
        _ => drop(property.shift_remove("default")),
    }
}

/// Changes `5.0` to the number `5`.
fn without_fraction(default: Value) -> Value {
    // Up to this number, every whole number has a float of its own. So no two numbers are confused.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match default.as_f64() {
        Some(number) if default.is_f64() && number.fract() == 0.0 && number.abs() < EXACT => Value::from(number as i64),
        _ => default,
    }
}
