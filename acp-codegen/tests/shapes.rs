//! Shapes that schemas of other protocols have, one by one: what is generated of each. `acp-tests` compiles them together and
//! sends values through.

use std::fs;
use std::path::Path;

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Value, json};

fn generate(name: &str, definitions: &Value, overlay: Option<Value>) -> Result<Generated, Error> {
    let file = |name: String, content: &Value| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, content.to_string()).expect("the directory is writable");
        path
    };
    let mut builder = Builder::new().schema(file(format!("shape-{name}.json"), &json!({ "$defs": definitions })));
    if let Some(overlay) = overlay {
        builder = builder.overlay(file(format!("shape-{name}.overlay.json"), &overlay));
    }
    builder.generate()
}

#[track_caller]
fn rust(name: &str, definitions: Value) -> String {
    generate(name, &definitions, None).unwrap_or_else(|error| panic!("{error}")).rust
}

#[track_caller]
fn refused(name: &str, definitions: &Value, what: &str) {
    let error = generate(name, definitions, None).map(drop).unwrap_err().to_string();
    assert!(error.contains(what), "expected `{what}`, got `{error}`");
}

/// The variants of an enum, each with what it holds.
#[track_caller]
fn variants(rust: &str, name: &str) -> Vec<String> {
    let file = syn::parse_file(rust).expect("it is Rust");
    let found = file.items.into_iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == name => Some(item),
        _ => None,
    });
    let written = |variant: syn::Variant| {
        let syn::Fields::Unnamed(fields) = &variant.fields else { return variant.ident.to_string() };
        let ty = &fields.unnamed[0].ty;
        let ty =
            quote::quote!(#ty).to_string().replace(' ', "").replace("::std::vec::", "").replace("::std::string::", "");
        format!("{}({ty})", variant.ident)
    };
    found.unwrap_or_else(|| panic!("no {name} in {rust}")).variants.into_iter().map(written).collect()
}

#[test]
fn a_list_of_integers_is_an_enum() {
    let levels = |schema: Value| rust("integers", json!({ "Level": schema }));
    let closed = levels(json!({ "type": "integer", "enum": [1, -2] }));
    assert_eq!(variants(&closed, "Level"), ["Value1", "ValueMinus2"]);
    assert!(closed.contains("pub const fn as_i64(self) -> i64"), "{closed}");
    let small = levels(json!({ "enum": [0, 1, 2], "type": "integer", "format": "uint8" }));
    assert!(small.contains("impl ::std::convert::TryFrom<u8> for Level"), "{small}");
    let titled = json!({ "oneOf": [{ "const": 1, "title": "low" }, { "const": 2, "title": "high" }] });
    assert_eq!(variants(&levels(titled), "Level"), ["Low", "High"]);
    let open = json!({ "anyOf": [{ "type": "integer", "const": 1 }, { "type": "integer" }] });
    assert_eq!(variants(&levels(open), "Level"), ["Value1", "Other(i64)"]);
    let property = json!({ "type": ["integer", "null"], "enum": [1, 2, null] });
    let inline = rust("integers-inline", json!({ "A": { "type": "object", "properties": { "b": property } } }));
    assert_eq!(variants(&inline, "Ab"), ["Value1", "Value2"]);
    assert!(inline.contains("pub b: ::std::option::Option<Ab>"), "{inline}");
    refused(
        "too-large",
        &json!({ "A": { "type": "integer", "format": "uint8", "enum": [1, 256] } }),
        "/enum/1: 256 is no `u8`",
    );
}

#[test]
fn an_overlay_names_the_integers_of_a_list_and_gives_it_a_default() {
    let overlay = json!({
        "variants": [{ "type": "Level", "value": 1, "name": "Low", "why": "to see" }],
        "enum_defaults": [{ "type": "Level", "value": 1, "unknown": true, "why": "to see" }]
    });
    let definitions = json!({ "Level": { "enum": [1, 2] } });
    let made = generate("integers-named", &definitions, Some(overlay)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(variants(&made.rust, "Level"), ["Low", "Value2"]);
    assert!(made.rust.contains("unwrap_or_default()") && made.unused.is_empty(), "{}", made.rust);
    let overlay = json!({ "enum_defaults": [{ "type": "Level", "value": 3, "why": "to see" }] });
    let error = generate("integers-default", &definitions, Some(overlay)).map(drop).unwrap_err().to_string();
    assert!(error.contains("`Level` has no value 3"), "{error}");
}

#[test]
fn texts_and_integers_are_listed_apart() {
    let mixed = json!({ "A": { "enum": ["a", 1] } });
    refused("mixed", &mixed, "give texts and integers a definition each and refer to both in an `anyOf`");
    let apart = json!({
        "Word": { "enum": ["a"] }, "Level": { "enum": [1] },
        "A": { "anyOf": [{ "$ref": "#/$defs/Word" }, { "$ref": "#/$defs/Level" }] }
    });
    assert_eq!(variants(&rust("apart", apart), "A"), ["Word(Word)", "Level(Level)"]);
    let inline = json!({ "A": { "anyOf": [{ "enum": ["a", "b"] }, { "type": "integer", "enum": [1, 2] }] } });
    assert_eq!(variants(&rust("apart-inline", inline), "A"), ["Word(AWord)", "Number(ANumber)"]);
    let nullable = json!({ "Mode": { "type": ["string", "null"], "enum": ["a", "b", null] } });
    let nullable = rust("nullable", nullable);
    assert_eq!(variants(&nullable, "Mode"), ["Word(ModeWord)", "Null"]);
    assert_eq!(variants(&nullable, "ModeWord"), ["A", "B"]);
    let open = json!({ "Mode": { "anyOf": [{ "type": "string" }, { "type": "string", "enum": ["a", "b"] }] } });
    assert_eq!(variants(&rust("open", open), "Mode"), ["A", "B", "Other(String)"]);
    let closed = json!({ "Mode": { "anyOf": [{ "enum": ["a", "b"] }, { "const": "c", "description": "The last." }] } });
    assert_eq!(variants(&rust("closed", closed), "Mode"), ["A", "B", "C"]);
    let other = json!({ "Size": { "anyOf": [{ "const": "auto" }, { "const": -1 }, { "type": "number" }] } });
    let other = rust("other", other);
    assert_eq!(variants(&other, "Size"), ["Auto(SizeAuto)", "ValueMinus1(SizeValueMinus1)", "Number(f64)"]);
}

#[test]
fn integers_have_all_sizes() {
    let sizes = [
        ("int8", "i8"),
        ("int16", "i16"),
        ("int32", "i32"),
        ("int64", "i64"),
        ("int", "i64"),
        ("uint8", "u8"),
        ("uint16", "u16"),
        ("uint32", "u32"),
        ("uint64", "u64"),
        ("uint", "u64"),
    ];
    for (format, ty) in sizes {
        let schema = json!({ "type": "integer", "format": format });
        let made =
            rust("sizes", json!({ "A": { "type": "object", "properties": { "b": schema }, "required": ["b"] } }));
        assert!(made.contains(&format!("pub b: {ty},")), "{format}: {made}");
    }
    let free = rust("sizes", json!({ "A": { "type": "integer" } }));
    assert!(free.contains("pub struct A(pub i64);"), "{free}");
}

#[test]
fn a_module_has_the_error_of_conversions_where_it_has_some() {
    let none = rust("no-enum", json!({ "A": { "type": "object", "properties": {} }, "B": { "type": "string" } }));
    assert!(!none.contains("ConversionError"), "{none}");
    for list in [json!({ "enum": ["a"] }), json!({ "enum": [1] })] {
        let some = rust("some-enum", json!({ "A": list }));
        assert!(some.contains("pub struct ConversionError"), "{some}");
    }
}
