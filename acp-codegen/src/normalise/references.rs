//! `allOf: [{$ref}]` says the same as `$ref`. The schema writes the former where a description stands beside it.

use serde_json::Value;

use super::walk;

pub(super) fn collapse(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        let target = schema.get("allOf").and_then(|all| all.get(0)).and_then(|first| first.get("$ref")).cloned();
        if let Some(target) = target {
            schema.remove("allOf");
            schema.insert("$ref".to_owned(), target);
        }
    });
}
