//! A schema with every kind of property, in every state, under every rule of decoding, in every kind of object. The
//! code of every allowed combination must compile.

use serde_json::{Map, Value, json};

/// The rules that a property may have, and whether a rule is for lists only.
const RULES: &[(&str, &[&str], bool)] = &[
    ("Plain", &[], false),
    ("OnError", &["x-deserialize-default-on-error"], false),
    ("OnNull", &["x-deserialize-default-on-null"], false),
    ("Items", &["x-deserialize-skip-invalid-items"], true),
    ("Both", &["x-deserialize-default-on-error", "x-deserialize-skip-invalid-items"], true),
];

/// For this state, an absent property means `null`, and the schema states this default as generators of schemas do.
const NULLABLE_DEFAULT: &str = "NullableDefault";

/// Types without a default. Required properties of these types have no rules, because a rule replaces a wrong value by
/// the default.
const WITHOUT_DEFAULT: &[&str] = &[
    "refText",
    "refCount",
    "refLevel",
    "refTree",
    "refBranch",
    "refWord",
    "refThing",
    "refEither",
    "refNames",
    "refSame",
    "level",
    "word",
    "several",
];

/// Definitions of every shape, for properties to refer to.
fn definitions() -> Value {
    json!({
        "Text": { "type": "string" },
        "Count": { "type": "integer" },
        "Ratio": { "type": "number" },
        "Truth": { "type": "boolean" },
        "Anything": {},
        "Described": { "description": "Anything, too." },
        "Object": { "type": "object" },
        "OpenObject": { "type": "object", "additionalProperties": true },
        "AnyObject": { "type": "object", "additionalProperties": {} },
        "TextMap": { "type": "object", "additionalProperties": { "type": "string" } },
        "RatioMap": { "type": "object", "additionalProperties": { "$ref": "#/$defs/Ratio" } },
        "List": { "type": "array" },
        "TextList": { "type": "array", "items": { "type": "string" } },
        "Level": { "enum": [1, 2] },
        "Ratios": { "type": "array", "items": { "type": "number" } },
        "Counted": { "type": "object", "properties": { "any": {} }, "additionalProperties": { "type": "integer" } },
        "Measured": { "type": "object", "properties": { "any": {} }, "additionalProperties": { "type": "number" } },
        "Tree": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/Branch" }] },
        "Branch": { "type": "object", "properties": { "inner": { "$ref": "#/$defs/Tree" } }, "required": ["inner"] },
        "Word": { "oneOf": [{ "const": "a" }, { "const": "b" }] },
        "OnlyWord": { "const": "only" },
        "OnlyNumber": { "const": -7 },
        "Empty": { "type": "object", "properties": {} },
        "Thing": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
        "OpenThing": { "type": "object", "properties": { "any": {} }, "additionalProperties": true },
        "Either": { "anyOf": [{ "$ref": "#/$defs/Thing" }, { "$ref": "#/$defs/Object" }, { "$ref": "#/$defs/List" }] },
        "Names": { "anyOf": [{ "$ref": "#/$defs/TextMap" }, { "$ref": "#/$defs/Text" }, { "$ref": "#/$defs/Ratio" }] },
        "Same": { "anyOf": [{ "$ref": "#/$defs/Object" }, { "$ref": "#/$defs/OpenObject" }] },
    })
}

/// Properties of every kind, by name.
fn properties() -> Map<String, Value> {
    let inline = json!({
        "text": { "type": "string" },
        "count": { "type": "integer" },
        "small": { "type": "integer", "format": "uint8" },
        "tiny": { "type": "integer", "format": "int8" },
        "level": { "type": "integer", "enum": [1, 2] },
        "ratio": { "type": "number" },
        "truth": { "type": "boolean" },
        "list": { "type": "array" },
        "texts": { "type": "array", "items": { "type": "string" } },
        "ratios": { "type": "array", "items": { "type": "number" } },
        "things": { "type": "array", "items": { "$ref": "#/$defs/Thing" } },
        "anythings": { "type": "array", "items": { "$ref": "#/$defs/Anything" } },
        "object": { "type": "object" },
        "openObject": { "type": "object", "additionalProperties": true },
        "anyObject": { "type": "object", "additionalProperties": {} },
        "textMap": { "type": "object", "additionalProperties": { "type": "string" } },
        "ratioMap": { "type": "object", "additionalProperties": { "type": "number" } },
        "objectMap": { "type": "object", "additionalProperties": { "type": "object" } },
        "anything": {},
        "part": { "type": "object", "properties": { "inner": { "type": "string" } } },
        "word": { "type": "string", "enum": ["a", "b"] },
        "constant": { "const": "c" },
        "several": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
        "_meta": { "type": "object" }
    });
    let mut all = inline.as_object().cloned().unwrap_or_default();
    for name in definitions().as_object().into_iter().flatten().map(|(name, _)| name) {
        all.insert(format!("ref{name}"), json!({ "$ref": format!("#/$defs/{name}") }));
    }
    all
}

fn or_null(property: &Value) -> Value {
    match property.get("type").and_then(Value::as_str) {
        Some(kind) => {
            let mut nullable = property.clone();
            nullable["type"] = json!([kind, "null"]);
            if let Some(Value::Array(words)) = nullable.get_mut("enum") {
                words.push(Value::Null);
            }
            nullable
        }
        None => json!({ "anyOf": [property, { "type": "null" }] }),
    }
}

pub(crate) fn schema() -> Value {
    let mut all = definitions();
    for (rule, keys, lists_only) in RULES {
        for (state, nullable, required) in [
            ("", false, false),
            ("Nullable", true, false),
            (NULLABLE_DEFAULT, true, false),
            ("Required", false, true),
            ("RequiredNullable", true, true),
        ] {
            let fits = |property: &Value| !lists_only || property["type"] == "array";
            let mut fields = Map::new();
            for (name, property) in properties().into_iter().filter(|(_, property)| fits(property)) {
                let has_default = nullable || !WITHOUT_DEFAULT.contains(&name.as_str());
                let keys = if required && !has_default { &[][..] } else { keys };
                let anything = property.as_object().is_some_and(Map::is_empty);
                let mut property = if nullable && !anything { or_null(&property) } else { property };
                keys.iter().for_each(|key| property[*key] = json!(true));
                if state == NULLABLE_DEFAULT {
                    property["default"] = Value::Null;
                }
                fields.insert(name, property);
            }
            let names: Vec<&String> = fields.keys().filter(|_| required).collect();
            let object = json!({ "type": "object", "properties": fields, "required": names });
            let mut open = object.clone();
            open["additionalProperties"] = json!({});
            all[format!("{rule}{state}")] = object;
            all[format!("Open{rule}{state}")] = open;
        }
    }
    json!({ "$defs": all })
}
