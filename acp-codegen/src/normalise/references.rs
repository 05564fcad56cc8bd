//! `allOf: [{$ref}]` means the same as `$ref`. The schema writes `allOf` if there is a description beside the
//! reference.

use serde_json::Value;

use super::walk;

pub(super) fn collapse(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let alone = schema.get("allOf").and_then(Value::as_array).filter(|all| all.len() == 1);
        let target = alone.and_then(|all| all[0].get("$ref")).cloned();
        if let Some(target) = target {
            schema.remove("allOf");
            schema.insert("$ref".to_owned(), target);
        }
    });
}
