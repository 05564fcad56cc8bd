//! The judge's schema equals the protocol's schema, without the texts, and with the drafts that only the overlay has.

use std::{fs, path::Path};

use acp_client::testing::assert_golden;
use serde_json::{Map, Value, json};

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

fn read(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("the file")).expect("JSON")
}

/// Adds the capabilities of drafts that no schema has yet. The overlay names them as parts of an agent.
fn add_parts(schema: &mut Value, overlay: &Value) {
    let drafts = overlay["drafts"].as_array().expect("drafts").iter();
    for draft in drafts.filter(|draft| draft["part"].is_string()) {
        let (mut of, path) = ("InitializeResponse".to_owned(), draft["capability"].as_str().expect("a path"));
        let (parents, last) = path.rsplit_once('.').expect("a capability of an object");
        for name in parents.split('.') {
            let property = &schema["$defs"][&of]["properties"][name];
            let target = ["allOf", "anyOf"].into_iter().find_map(|union| property[union][0]["$ref"].as_str());
            let target = target.unwrap_or_else(|| panic!("`{path}`: `{of}` has no object `{name}`"));
            of = target.trim_start_matches("#/$defs/").to_owned();
        }
        let name = format!("{of}.{last}");
        let mark = json!({ "type": "object", "properties": { "_meta": { "type": ["object", "null"], "additionalProperties": true } } });
        schema["$defs"][&name] = mark;
        let properties = schema["$defs"][&of]["properties"].as_object_mut().expect("properties");
        let reference = json!({ "anyOf": [{ "$ref": format!("#/$defs/{name}") }, { "type": "null" }] });
        let known = properties.insert(last.to_owned(), reference);
        assert!(known.is_none(), "`{path}` is in the schema by now: the overlay need not call it a part");
    }
}

#[test]
fn the_judges_schema_is_the_protocols() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for version in ["v1", "v2"] {
        for (published, judged) in [("schema.json", "json"), ("schema.unstable.json", "unstable.json")] {
            let folder = package.join("../schema").join(version);
            let mut schema = read(&folder.join(published));
            if judged == "unstable.json" {
                add_parts(&mut schema, &read(&folder.join("overlay.json")));
            }
            let copy = package.join("../acp-judge/src/judge").join(format!("{version}.{judged}"));
            assert_golden(copy, &text(schema["$defs"].as_object().unwrap()));
        }
    }
}
