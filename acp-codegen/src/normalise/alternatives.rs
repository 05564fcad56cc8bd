//! `anyOf` becomes `oneOf`. The schema's alternatives are tried in order either way, but typify makes an `anyOf` a
//! struct of optional halves, which decodes nothing.

use serde_json::Value;

use super::walk;

pub(super) fn unify(definition: &mut Value) {
    walk::each(definition, &mut |schema| {
        if let Some(any) = schema.remove("anyOf") {
            schema.insert("oneOf".to_owned(), any);
        }
    });
}
