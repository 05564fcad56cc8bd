//! Both `true` and `{}` accept any value. For a property or for items, this rule writes `{}`; for other properties, it
//! writes `true`. So the later stages need to know only one form in each place.

use serde_json::{Map, Value};

use super::walk;
use crate::source::dialect::says_nothing;

pub(super) fn spell_out(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for property in properties.values_mut().filter(|property| **property == true) {
                *property = Value::Object(Map::new());
            }
        }
        if schema.get("items").is_some_and(|items| *items == true) {
            schema.insert("items".to_owned(), Value::Object(Map::new()));
        }
        if let Some(values) = schema.get_mut("additionalProperties").filter(|values| says_nothing(values)) {
            *values = Value::Bool(true);
        }
    });
}
