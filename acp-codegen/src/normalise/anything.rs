//! A property that is `true` takes any value, as `{}` does.

use serde_json::{Map, Value};

use super::walk;

pub(super) fn spell_out(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
        for property in properties.values_mut().filter(|property| **property == true) {
            *property = Value::Object(Map::new());
        }
    });
}
