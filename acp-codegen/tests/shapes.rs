//! Shapes from schemas of other protocols, one by one, with the generated code of each. `acp-codec-tests` compiles them
//! together, and decodes and encodes values with them.

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
    let error = generate(name, definitions, None).map(drop).expect_err("it is refused").to_string();
    assert!(error.contains(what), "expected `{what}`, got `{error}`");
}

/// The variants of an enum, each with its content.
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
    let error =
        generate("integers-default", &definitions, Some(overlay)).map(drop).expect_err("it is refused").to_string();
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

#[test]
fn objects_and_lists_without_a_title_have_names_as_branches() {
    let object =
        |key: &str| json!({ "type": "object", "properties": { key: { "type": "string" } }, "required": [key] });
    let inline = rust("objects", json!({ "U": { "anyOf": [object("a"), { "type": "string" }, object("b")] } }));
    assert_eq!(variants(&inline, "U"), ["Object(UObject)", "Str(String)", "Object2(UObject2)"]);
    let titled = json!({ "title": "Object", "type": "object", "properties": { "c": {} } });
    let beside = rust("objects-titled", json!({ "U": { "anyOf": [object("a"), titled, { "type": "object" }] } }));
    let names = ["Object2(UObject2)", "Object(UObject)", "Object3(::serde_json::Map<String,::serde_json::Value>)"];
    assert_eq!(variants(&beside, "U"), names);
    let open = json!({ "type": "object", "properties": { "c": {} }, "additionalProperties": true });
    let empty = json!({ "type": "object", "properties": {} });
    let open = rust("objects-open", json!({ "U": { "anyOf": [open, { "type": "integer" }, empty] } }));
    assert_eq!(variants(&open, "U")[0], "Object(UObject)");
    assert!(open.contains("pub extra:"), "{open}");

    let list = |items: Value| json!({ "type": "array", "items": items });
    let lists = rust(
        "lists",
        json!({ "U": { "anyOf": [list(json!({ "type": "string" })), list(json!({ "type": "integer" }))] } }),
    );
    assert_eq!(variants(&lists, "U"), ["List(Vec<String>)", "List2(Vec<i64>)"]);
    let reference = json!({ "$ref": "#/$defs/A" });
    let both = |branches: Value| rust("one-or-many", json!({ "A": object("a"), "U": { "anyOf": branches } }));
    assert_eq!(variants(&both(json!([reference, list(reference.clone())])), "U"), ["A(A)", "AList(Vec<A>)"]);
    assert_eq!(variants(&both(json!([list(reference.clone()), reference])), "U"), ["AList(Vec<A>)", "A(A)"]);
    assert_eq!(
        variants(&both(json!([list(reference.clone()), { "type": "string" }])), "U"),
        ["A(Vec<A>)", "Str(String)"]
    );
}

/// The test uses the entry that the error proposes.
#[test]
fn an_overlay_names_the_branches_of_a_union() {
    let named = |entries: Value| Some(json!({ "variants": entries }));
    let entry = |value: Value, name: &str| json!({ "type": "U", "value": value, "name": name, "why": "to see" });
    let object = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let lists = json!({ "U": { "anyOf": [
        { "type": "array", "items": { "type": "string" } }, { "type": "array" }, object, { "title": "one two", "type": "string" }
    ] } });
    let entries = json!([
        entry(json!(0), "Words"),
        entry(json!(1), "All"),
        entry(json!(2), "Named"),
        entry(json!("one two"), "Text")
    ]);
    let made = generate("branches", &lists, named(entries)).unwrap_or_else(|error| panic!("{error}"));
    let names = ["Words(Vec<String>)", "All(Vec<::serde_json::Value>)", "Named(UNamed)", "Text(String)"];
    assert_eq!(variants(&made.rust, "U"), names);
    assert!(made.unused.is_empty(), "{:?}", made.unused);
    for (definitions, what, value) in [
        (json!({ "U": { "anyOf": [{ "type": "number" }, { "type": "integer" }] } }), "both called `Number`", 1),
        (json!({ "U": { "anyOf": [{ "type": "integer" }, {}] } }), "neither a tag nor a title", 1),
    ] {
        let advice = format!("under `variants` in an overlay, with `\"type\": \"U\", \"value\": {value}`");
        refused("branch-clash", &definitions, what);
        refused("branch-clash", &definitions, &advice);
        let overlay = named(json!([entry(json!(value), "Given")]));
        let made = generate("branch-given", &definitions, overlay).unwrap_or_else(|error| panic!("{error}"));
        assert!(variants(&made.rust, "U")[1].starts_with("Given("), "{}", made.rust);
    }
}

#[test]
fn properties_beside_those_described_are_typed() {
    let beside = |values: Value| json!({ "A": { "type": "object", "properties": { "b": { "type": "string" } }, "additionalProperties": values } });
    let made = rust("extra", beside(json!({ "type": "integer" })));
    let map = |ty: &str| format!("::std::collections::BTreeMap<::std::string::String, {ty}>");
    assert!(made.contains(&format!("pub extra: {}", map("i64"))), "{made}");
    let numbers = rust("extra-numbers", beside(json!({ "type": "number" })));
    assert!(numbers.contains("#[serde(flatten, serialize_with = "), "{numbers}");
    let inline = rust("extra-inline", beside(json!({ "type": "object", "properties": { "c": {} } })));
    assert!(inline.contains(&format!("pub extra: {}", map("AValue"))), "{inline}");
    let raw = rust("extra-raw", beside(json!({})));
    assert!(raw.contains("pub extra: ::serde_json::Map<::std::string::String, ::serde_json::Value>"), "{raw}");
}

/// A struct has no field for undescribed members. So `additionalProperties: false` changes nothing.
#[test]
fn an_object_that_is_closed_is_one_like_others() {
    let closed =
        |properties: Value| json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let plain = |properties: Value| json!({ "type": "object", "properties": properties });
    let of = |object: &dyn Fn(Value) -> Value| {
        json!({
            "A": object(json!({ "b": object(json!({ "c": { "type": "string" } })) })),
            "U": { "anyOf": [object(json!({ "d": {} })), { "type": "string" }] },
            "M": { "allOf": [{ "$ref": "#/$defs/A" }, object(json!({ "e": {} }))] },
            "N": { "allOf": [{ "$ref": "#/$defs/A" }, { "type": "object", "additionalProperties": false }] }
        })
    };
    let same = rust("open-as-ever", of(&plain));
    assert_eq!(rust("closed-object", of(&closed)), same);
    let empty = rust("closed-empty", json!({ "A": { "type": "object", "additionalProperties": false } }));
    assert!(empty.contains("pub struct A {}"), "{empty}");
}

#[test]
fn null_is_a_value_of_a_property() {
    let nothing = json!({ "type": "null" });
    let property = json!({ "type": "object", "properties": { "a": nothing, "b": nothing }, "required": ["a"] });
    let made = rust("null", json!({ "A": property, "Nothing": nothing }));
    assert!(made.contains("pub a: (),") && made.contains("pub b: ::std::option::Option<()>"), "{made}");
    assert!(made.contains("pub fn new() -> Self"), "nobody gives it: {made}");
}

#[test]
fn a_union_that_leads_back_to_itself_through_an_object_has_a_box() {
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let object = |properties: Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required });
    let made = rust(
        "filter",
        json!({
            "Filter": { "anyOf": [to("Not"), to("Both"), { "type": "string" }] },
            "Not": object(json!({ "not": to("Filter") }), &["not"]),
            "Both": object(json!({ "left": to("Name"), "right": to("Filter") }), &["left", "right"]),
            "Name": to("Filter")
        }),
    );
    for field in ["not: ::std::boxed::Box<Filter>", "left: ::std::boxed::Box<Name>", "right: ::std::boxed::Box<Filter>"]
    {
        assert!(made.contains(field), "{made}");
    }
    let node = json!({ "Node": object(json!({ "next": to("Next") }), &[]), "Next": to("Node") });
    assert!(rust("named-next", node).contains("Option<::std::boxed::Box<Next>>"));
    for endless in [
        json!({ "U": { "anyOf": [to("V"), { "type": "string" }] }, "V": { "anyOf": [to("U"), { "type": "integer" }] } }),
        json!({ "U": { "type": "object", "properties": { "a": {} }, "oneOf": [to("U"), { "type": "object", "title": "B" }] } }),
    ] {
        refused("endless", &endless, "contains itself; ");
    }
}

/// The params of a method may have no properties. The struct for them drops all keys, so another branch keeps more.
#[test]
fn a_branch_without_properties_takes_no_values_of_a_later_one() {
    let nothing = json!({ "type": "object", "x-method": "a/clear", "x-side": "agent" });
    let point = json!({ "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] });
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let union = json!({ "anyOf": [to("ClearNotification"), to("Point")] });
    let made = rust("nothing-first", json!({ "ClearNotification": nothing, "Point": point, "U": union }));
    assert!(made.contains("support::best("), "{made}");
}
