//! The handling of a `default`. There are three cases: the value is the default of the Rust type; or an absent property
//! is `None`, and the documentation states the value; or the generator refuses the value, because its property cannot
//! have it.

use std::fs;
use std::path::Path;

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Value, json};

/// The definitions that the properties refer to.
fn definitions() -> Value {
    json!({
        "Colour": { "type": "string", "enum": ["red", "dark_green"] },
        "Only": { "oneOf": [{ "type": "string", "const": "only" }] },
        "Level": { "type": "integer", "enum": [1, 2] },
        "Fixed": { "const": "x" },
        "Name": { "type": "string" },
        "Count": { "type": "integer", "minimum": 1 },
        "Ratio": { "type": "number" },
        "Names": { "type": "array", "items": { "$ref": "#/$defs/Name" } },
        "ByName": { "type": "object", "additionalProperties": { "type": "string" } },
        "Anything": {},
        "Free": {
            "type": "object",
            "properties": { "on": { "type": "boolean", "default": false }, "text": { "type": "string" } }
        },
        "Strict": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
        "Either": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/Count" }, { "$ref": "#/$defs/Free" }] },
        "Tree": { "type": "object", "properties": { "child": { "$ref": "#/$defs/Tree", "default": {} } } }
    })
}

fn generate(name: &str, property: &Value, required: bool) -> Result<Generated, Error> {
    let mut all = definitions();
    let required: &[&str] = if required { &["a"] } else { &[] };
    all["T"] = json!({ "type": "object", "properties": { "a": property }, "required": required });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("default-{name}.json"));
    fs::write(&path, json!({ "$defs": all }).to_string()).expect("the directory is writable");
    Builder::new().schema(path).generate()
}

/// The property's documentation, and its type.
#[track_caller]
fn field(name: &str, property: &Value) -> (String, String) {
    let rust = generate(name, property, false).unwrap_or_else(|error| panic!("{property}: {error}")).rust;
    let (_, structure) = rust.split_once("pub struct T {").expect("it is generated");
    let (before, after) = structure.split_once("pub a: ").expect("it has the field");
    let (ty, _) = after.split_once(",\n").expect("a field ends");
    (before.to_owned(), ty.to_owned())
}

/// With this default, a property is an `Option`, and its documentation states the default.
#[track_caller]
fn said(name: &str, property: &Value, ty: &str, absent: &str) {
    let (docs, is) = field(name, property);
    assert_eq!(is, format!("::std::option::Option<{ty}>"), "{property}");
    assert!(docs.contains(&format!("Absent means `{absent}`.")), "{property}: {docs}");
}

/// With this default, a property always has a value.
#[track_caller]
fn own(name: &str, property: &Value, ty: &str) {
    assert_eq!(field(name, property).1, ty, "{property}");
}

#[test]
fn a_default_of_another_definition_is_what_absence_means() {
    let to = |name: &str, default: Value| json!({ "$ref": format!("#/$defs/{name}"), "default": default });
    said("word", &to("Colour", json!("red")), "Colour", "\"red\"");
    said("level", &to("Level", json!(2)), "Level", "2");
    said("name", &to("Name", json!("")), "Name", "\"\"");
    said("count", &to("Count", json!(1)), "Count", "1");
    said("names", &to("Names", json!(["a"])), "Names", "[\"a\"]");
    said("by-name", &to("ByName", json!({ "a": "b" })), "ByName", "{\"a\":\"b\"}");
    said("anything", &to("Anything", json!([1])), "Anything", "[1]");
    said("free", &to("Free", json!({ "text": "hi" })), "Free", "{\"text\":\"hi\"}");
    said("strict", &to("Strict", json!({ "text": "hi" })), "Strict", "{\"text\":\"hi\"}");
    said("either-text", &to("Either", json!("hi")), "Either", "\"hi\"");
    said("either-object", &to("Either", json!({})), "Either", "{}");
    let merged = json!({ "allOf": [{ "$ref": "#/$defs/Colour" }], "description": "Said.", "default": "dark_green" });
    said("all-of", &merged, "Colour", "\"dark_green\"");
    let or_null = json!({ "anyOf": [{ "$ref": "#/$defs/Colour" }, { "type": "null" }], "default": "red" });
    said("or-null", &or_null, "Colour", "\"red\"");
    said(
        "list",
        &json!({ "type": "array", "items": {}, "default": [1] }),
        "::std::vec::Vec<::serde_json::Value>",
        "[1]",
    );
    said("any", &json!({ "default": 5 }), "::serde_json::Value", "5");
    said("part", &json!({ "type": "string", "enum": ["b", "c"], "default": "c" }), "Ta", "\"c\"");
}

#[test]
fn a_default_that_the_type_has_is_the_value_of_what_is_absent() {
    let to = |name: &str, default: Value| json!({ "$ref": format!("#/$defs/{name}"), "default": default });
    own("only", &to("Only", json!("only")), "Only");
    own("fixed", &to("Fixed", json!("x")), "Fixed");
    own("names-empty", &to("Names", json!([])), "Names");
    own("by-name-empty", &to("ByName", json!({})), "ByName");
    own("ratio", &to("Ratio", json!(0.0)), "Ratio");
    own("free-empty", &to("Free", json!({})), "Free");
    own("free-said", &to("Free", json!({ "on": false })), "Free");
    own("inline-constant", &json!({ "const": 3, "default": 3 }), "Ta");
    own(
        "inline-object",
        &json!({ "type": "object", "properties": { "b": { "type": "string" } }, "default": {} }),
        "Ta",
    );
    let inline = json!({ "type": "object", "additionalProperties": { "type": "string" }, "default": {} });
    own("inline-map", &inline, "::std::collections::BTreeMap<::std::string::String, ::std::string::String>");
    own("inline-text", &json!({ "type": "string", "default": "" }), "::std::string::String");
}

/// If an absent `Tree` meant a default `Tree`, that `Tree` would contain another default `Tree`, and so on without end.
#[test]
fn a_default_of_what_holds_itself_is_not_filled_in() {
    said("tree", &json!({ "$ref": "#/$defs/Tree", "default": {} }), "Tree", "{}");
    let rust = generate("tree-inside", &json!({}), false).unwrap_or_else(|error| panic!("{error}")).rust;
    assert!(rust.contains("pub child: ::std::option::Option<::std::boxed::Box<Tree>>"), "{rust}");
}

/// Generators of schemas write `null` for a property without a default.
#[test]
fn a_default_of_null_says_nothing_of_what_may_be_absent() {
    for (name, property, ty) in [
        ("null-text", json!({ "type": "string", "default": null }), "::std::string::String"),
        ("null-nullable", json!({ "type": ["integer", "null"], "default": null }), "i64"),
        ("null-word", json!({ "$ref": "#/$defs/Colour", "default": null }), "Colour"),
        ("null-union", json!({ "anyOf": [{ "$ref": "#/$defs/Free" }, { "type": "null" }], "default": null }), "Free"),
        ("null-any", json!({ "default": null }), "::serde_json::Value"),
    ] {
        let (docs, is) = field(name, &property);
        assert_eq!(is, format!("::std::option::Option<{ty}>"), "{property}");
        assert!(!docs.contains("Absent"), "{docs}");
    }
}

#[test]
fn a_default_that_is_no_value_of_its_property_is_refused() {
    let to = |name: &str, default: Value| json!({ "$ref": format!("#/$defs/{name}"), "default": default });
    let cases = [
        (json!({ "type": "integer", "default": false }), "it is no `integer`"),
        (json!({ "type": "integer", "default": 1.5 }), "it is no `integer`"),
        (json!({ "type": "string", "default": 0 }), "it is no `string`"),
        (json!({ "type": ["string", "null"], "default": 0 }), "it is neither `string` nor `null`"),
        (json!({ "type": "integer", "minimum": 1, "default": 0 }), "the `minimum` is 1"),
        (json!({ "type": "number", "maximum": 1, "default": 1.5 }), "the `maximum` is 1"),
        (json!({ "type": "integer", "exclusiveMinimum": 0, "default": 0 }), "the `exclusiveMinimum` is 0"),
        (json!({ "type": "integer", "format": "uint8", "default": 256 }), "it is no `uint8`"),
        (json!({ "type": "string", "maxLength": 1, "default": "ab" }), "the `maxLength` is 1"),
        (json!({ "type": "array", "minItems": 1, "default": [] }), "the `minItems` is 1"),
        (
            json!({ "type": "array", "items": { "type": "string" }, "default": ["a", 1] }),
            "in it, `1`: it is no `string`",
        ),
        (json!({ "type": "string", "enum": ["a", "b"], "default": "c" }), "the `enum` does not list it"),
        (json!({ "const": "a", "default": "b" }), "the `const` is \"a\""),
        (to("Colour", json!("blue")), "the `enum` does not list it"),
        (to("Colour", json!({})), "it is no `string`"),
        (to("Only", json!("other")), "no branch takes it"),
        (to("Either", json!(0)), "no branch takes it"),
        (to("Strict", json!({})), "it has no `text`, which is required"),
        (to("Free", json!({ "on": 1 })), "in it, `1`: it is no `boolean`"),
        (to("ByName", json!({ "a": 1 })), "in it, `1`: it is no `string`"),
        (json!({ "allOf": [{ "$ref": "#/$defs/Colour" }], "default": "blue" }), "the `enum` does not list it"),
    ];
    for (number, (property, why)) in cases.into_iter().enumerate() {
        for required in [false, true] {
            let error = generate(&format!("wrong-{number}"), &property, required).map(drop).expect_err("it is refused");
            let error = error.to_string();
            let expected = format!(
                "#/$defs/T/properties/a/default: the default `{}` is no value of this: {why}; ",
                property["default"]
            );
            assert!(error.contains(&expected), "expected `{expected}`, got `{error}`");
            // The test follows the advice of the error, and the advice works.
            let mut without = property.clone();
            without.as_object_mut().expect("an object").remove("default");
            generate(&format!("mended-{number}"), &without, required).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let null = generate("null-required", &json!({ "type": "string", "default": null }), true)
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(null.contains("the default `null` is no value of this: it is no `string`"), "{null}");
}
