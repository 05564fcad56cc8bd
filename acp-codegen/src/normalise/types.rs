//! A list of types, such as `["string", "integer"]`, becomes a union of them. A list of all types has no meaning and is
//! removed. A property with one type and `null` stays unchanged, because the model reads this form.

use serde_json::{Map, Value, json};

/// The keywords that belong to each type.
const BELONGS: &[(&str, &[&str])] = &[
    ("string", &["format", "enum", "const"]),
    ("integer", &["format", "minimum", "maximum", "enum", "const"]),
    ("number", &["minimum", "maximum", "enum", "const"]),
    ("array", &["items"]),
    ("object", &["properties", "required", "additionalProperties"]),
    ("boolean", &[]),
    ("null", &[]),
];

pub(super) fn spell_out(definition: &mut Value) {
    schema(definition, false);
}

fn schema(value: &mut Value, is_property: bool) {
    let Value::Object(object) = value else { return };
    list(object, is_property);
    for (key, inner) in object.iter_mut() {
        match (key.as_str(), inner) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(|inner| schema(inner, true)),
            ("items" | "additionalProperties", inner) => schema(inner, false),
            ("oneOf", Value::Array(branches)) => branches.iter_mut().for_each(|inner| schema(inner, false)),
            _ => {}
        }
    }
}

fn list(object: &mut Map<String, Value>, is_property: bool) {
    let Some(Value::Array(kinds)) = object.get("type") else { return };
    let mut kinds: Vec<String> = kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let has = |kinds: &[String], kind: &str| kinds.iter().any(|known| known == kind);
    if has(&kinds, "number") {
        kinds.retain(|kind| kind != "integer");
    }
    if BELONGS.iter().all(|(kind, _)| *kind == "integer" || has(&kinds, kind)) {
        object.remove("type");
    } else if let [kind] = kinds.as_slice() {
        object.insert("type".to_owned(), json!(kind));
    } else if !(object.contains_key("oneOf") || is_property && kinds.len() == 2 && has(&kinds, "null")) {
        let branches = kinds.iter().map(|kind| {
            let belongs = BELONGS.iter().find(|(known, _)| known == kind).map_or(&[][..], |(_, keys)| *keys);
            let of_kind = |key: &str| Some((key.to_owned(), only(kind, key, object.get(key)?)?));
            let kept = belongs.iter().filter_map(|key| of_kind(key));
            Value::Object(std::iter::once(("type".to_owned(), json!(kind))).chain(kept).collect())
        });
        let branches: Value = branches.collect();
        for (_, keys) in BELONGS {
            keys.iter().for_each(|key| drop(object.remove(*key)));
        }
        object.remove("type");
        object.insert("oneOf".to_owned(), branches);
    }
}

/// The part of a keyword for one of the types. For example, an `enum` lists values of all types.
fn only(kind: &str, key: &str, said: &Value) -> Option<Value> {
    let of_kind = |value: &Value| if kind == "string" { value.is_string() } else { value.is_number() };
    match said {
        Value::Array(values) if key == "enum" => Some(values.iter().filter(|value| of_kind(value)).cloned().collect()),
        constant if key == "const" => of_kind(constant).then(|| constant.clone()),
        said => Some(said.clone()),
    }
}
