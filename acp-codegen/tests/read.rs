//! Constructs that only some published versions have, and the Rust code for them.

use std::fs;
use std::path::Path;

use acp_codegen::Builder;
use serde_json::{Value, json};

/// The code for a schema with these definitions, without spaces and line breaks.
fn rust(name: &str, definitions: &Value) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("read-{name}.json"));
    fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
    let generated = Builder::new().schema(&path).generate().unwrap_or_else(|error| panic!("{error}"));
    generated.rust
}

#[test]
fn an_enum_is_a_list_of_constants() {
    let listed = rust("enum", &json!({ "Role": { "type": "string", "enum": ["assistant", "user"] } }));
    let constants = json!([{ "type": "string", "const": "assistant" }, { "type": "string", "const": "user" }]);
    assert_eq!(listed, rust("const", &json!({ "Role": { "oneOf": constants } })));
    assert!(listed.contains("Assistant"), "{listed}");
}

#[test]
fn a_default_of_the_schema_alone_is_told_and_left_to_the_reader() {
    let secret = json!({ "type": "boolean", "default": true, "description": "Whether it is one." });
    let code = rust("default", &json!({ "Variable": { "type": "object", "properties": { "secret": secret } } }));
    assert!(
        code.contains("pub secret: Option<bool>") || code.contains("pub secret: ::std::option::Option<bool>"),
        "{code}"
    );
    assert!(code.contains("Absent means `true`."), "{code}");
    // The default belongs to the field. It does not belong to the type that the field gets.
    let pace = json!({ "type": "string", "enum": ["fast", "slow"], "default": "slow" });
    let code = rust("default-enum", &json!({ "Walk": { "type": "object", "properties": { "pace": pace } } }));
    let (of_the_type, of_the_struct) = code.split_once("pub struct Walk").expect("the type comes first");
    assert!(of_the_struct.contains("Absent means `\"slow\"`.") && !of_the_type.contains("Absent means"), "{code}");
}

#[test]
fn what_may_be_null_stays_so_whatever_its_default() {
    let field = |default: Value| {
        let note = json!({ "type": ["string", "null"], "default": default });
        rust("nullable-default", &json!({ "Variable": { "type": "object", "properties": { "note": note } } }))
    };
    let option = "pub note: ::std::option::Option<::std::string::String>";
    for (default, documented) in [(json!(null), None), (json!(""), Some(r#""""#)), (json!("a"), Some(r#""a""#))] {
        let code = field(default);
        assert!(code.contains(option), "{code}");
        let said = documented.map(|text| format!("Absent means `{text}`."));
        assert!(said.map_or(!code.contains("Absent means"), |said| code.contains(&said)), "{code}");
    }
    // The rule for wrong items does not accept `null`, so the field is an `Option`. With the rule for `null`, it is
    // not.
    let list = |rule: &str| {
        let tags = json!({ "type": ["array", "null"], "items": { "type": "string" }, "default": [], rule: true });
        rust("nullable-list", &json!({ "Variable": { "type": "object", "properties": { "tags": tags } } }))
    };
    let option = "pub tags: ::std::option::Option<";
    assert!(list("x-deserialize-skip-invalid-items").contains(option));
    assert!(!list("x-deserialize-default-on-null").contains(option));
}

#[test]
fn true_is_anything() {
    let object = |meta: Value| json!({ "T": { "type": "object", "properties": { "meta": meta } } });
    assert_eq!(rust("true", &object(json!(true))), rust("empty", &object(json!({}))));
}

#[test]
fn a_branch_without_a_title_is_called_like_what_it_refers_to() {
    let input = json!({ "anyOf": [{ "allOf": [{ "$ref": "#/$defs/Unstructured" }] }] });
    let unstructured = json!({ "type": "object", "properties": { "hint": { "type": "string" } } });
    let code = rust("untitled", &json!({ "Input": input, "Unstructured": unstructured }));
    assert!(code.contains("Unstructured(Unstructured)"), "{code}");
}

#[test]
fn a_conversion_into_a_variant_with_fields_of_its_own_is_reported_as_unused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let tag = json!({ "type": "string", "const": "text" });
    let branch = json!({ "type": "object", "properties": { "type": tag, "text": { "type": "string" } }, "required": ["type", "text"] });
    let schema = json!({ "$defs": { "Block": { "oneOf": [branch] } } });
    let overlay = json!({ "conversions": [{ "into": "Block", "from": "string", "via": "Text", "why": "text" }] });
    fs::write(folder.join("read-own.json"), schema.to_string()).expect("the directory is writable");
    fs::write(folder.join("read-own.overlay.json"), overlay.to_string()).expect("the directory is writable");
    let builder = Builder::new().schema(folder.join("read-own.json")).overlay(folder.join("read-own.overlay.json"));
    let generated = builder.generate().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(generated.unused, ["conversions: Block"]);
    assert!(!generated.rust.contains("Self::Text(value"), "{}", generated.rust);
}

/// A definition may have the name of a type of serde_json. The code names that type by its path, so both types exist
/// side by side.
#[test]
fn a_definition_called_value_is_not_what_any_value_is() {
    let holder = json!({ "type": "object", "properties": { "any": {}, "own": { "$ref": "#/$defs/Value" } }, "required": ["any", "own"] });
    let value = json!({ "anyOf": [{ "type": "string", "title": "Text" }, { "type": "integer", "title": "Number" }] });
    let code = rust("value", &json!({ "Holder": holder, "Value": value }));
    assert!(
        code.contains("pub fn new(any: ::serde_json::Value, own: impl ::std::convert::Into<Value>) -> Self"),
        "{code}"
    );
}

/// A constant gets its own type. A constant number does not.
#[test]
fn a_constant_that_is_called_a_number_is_written_as_itself() {
    let holder = json!({ "type": "object", "properties": { "version": { "type": "number", "const": 3 } } });
    let code = rust("constant-number", &json!({ "Holder": holder }));
    assert!(code.contains("pub version: ::std::option::Option<HolderVersion>"), "{code}");
    assert!(!code.contains("support::number"), "{code}");
}
