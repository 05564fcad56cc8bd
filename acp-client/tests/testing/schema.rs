//! The judge's schema equals the protocol's schema, without the texts.

use std::{fs, path::Path};

use acp_client::testing::assert_golden;
use serde_json::{Map, Value};

/// The keywords that the judge reads in a schema.
const READ: [&str; 19] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contentEncoding",
    "enum",
    "format",
    "items",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "not",
    "oneOf",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];
/// The keywords that the judge skips, because they do not limit the values that an agent or a client may send.
const PASSED_OVER: [&str; 8] = [
    "default",
    "description",
    "discriminator",
    "title",
    "x-deserialize-default-on-error",
    "x-deserialize-default-on-null",
    "x-deserialize-skip-invalid-items",
    "x-docs-ignore",
];

fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let mut kept = Map::new();
            for (key, value) in object {
                match &**key {
                    "properties" => {
                        let properties = value.as_object().expect("properties").iter();
                        kept.insert(
                            key.clone(),
                            properties.map(|(name, schema)| (name.clone(), bare(schema))).collect(),
                        );
                    }
                    "const" | "enum" | "required" | "x-method" | "x-side" => {
                        drop(kept.insert(key.clone(), value.clone()))
                    }
                    key if PASSED_OVER.contains(&key) => {}
                    key if READ.contains(&key) => drop(kept.insert(key.to_owned(), bare(value))),
                    key => panic!("the judge does not know `{key}`: let it read that, or pass over it here"),
                }
            }
            Value::Object(kept)
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        other => other.clone(),
    }
}

/// Writes each definition on its own line. The keys are sorted, whatever the order of the map is.
fn text(defs: &Map<String, Value>) -> String {
    fn sorted(value: &Value) -> String {
        match value {
            Value::Object(object) => {
                let mut fields: Vec<_> = object.iter().collect();
                fields.sort_by_key(|(key, _)| *key);
                let fields =
                    fields.into_iter().map(|(key, value)| format!("{}:{}", Value::from(&**key), sorted(value)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
            Value::Array(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
            other => other.to_string(),
        }
    }
    let mut lines: Vec<_> = defs.iter().collect();
    lines.sort_by_key(|(name, _)| *name);
    let lines: Vec<_> =
        lines.into_iter().map(|(name, def)| format!("{}: {}", Value::from(&**name), sorted(&bare(def)))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

#[test]
fn the_judges_schema_is_the_protocols() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for version in ["v1", "v2"] {
        for (published, judged) in [("schema.json", "json"), ("schema.unstable.json", "unstable.json")] {
            let path = package.join("../schema").join(version).join(published);
            let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            let copy = package.join("../acp-judge/src/judge").join(format!("{version}.{judged}"));
            assert_golden(copy, &text(schema["$defs"].as_object().unwrap()));
        }
    }
}
