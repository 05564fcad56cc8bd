//! Names that the schema does not give, or that Rust does not accept. A rule or an entry in the overlay provides them.
//! The tests follow the advice of each error, and check that the advice works.

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Value, json};

fn generate(name: &str, definitions: &Value, overlay: Option<Value>) -> Result<Generated, Error> {
    let mut builder = Builder::new().schema(file(&format!("{name}.json"), &json!({ "$defs": definitions })));
    if let Some(overlay) = overlay {
        builder = builder.overlay(file(&format!("{name}.overlay.json"), &overlay));
    }
    builder.generate()
}

fn file(name: &str, content: &Value) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("names-{name}"));
    fs::write(&path, content.to_string()).expect("the directory for temporary files is writable");
    path
}

/// The names of the generated types, without the module's own names.
fn types(generated: &Generated) -> Vec<String> {
    let file = syn::parse_file(&generated.rust).expect("it is Rust");
    let name = |item: &syn::Item| match item {
        syn::Item::Struct(item) => Some(item.ident.to_string()),
        syn::Item::Enum(item) => Some(item.ident.to_string()),
        syn::Item::Type(item) => Some(item.ident.to_string()),
        _ => None,
    };
    file.items.iter().filter_map(name).collect()
}

#[track_caller]
fn made(name: &str, definitions: Value, overlay: Option<Value>) -> Vec<String> {
    let made = generate(name, &definitions, overlay).unwrap_or_else(|error| panic!("{error}"));
    assert!(made.unused.is_empty(), "{:?}", made.unused);
    types(&made)
}

#[track_caller]
fn refused(name: &str, definitions: &Value, overlay: Option<Value>, what: &str) {
    let error = generate(name, definitions, overlay).map(drop).expect_err("it is refused").to_string();
    assert!(error.contains(what), "expected `{what}`, got `{error}`");
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

fn named(entries: &[(&str, &str)]) -> Option<Value> {
    let entry = |(ty, name): &(&str, &str)| json!({ "type": ty, "name": name, "why": "to see" });
    Some(json!({ "names": entries.iter().map(entry).collect::<Vec<_>>() }))
}

#[test]
fn words_of_one_letter_make_a_name_also_where_they_meet() {
    let inner = object(json!({ "x": { "type": "string" } }));
    let schema = json!({
        "FooXY": object(json!({})),
        "x_y_z": object(json!({})),
        "PlanA": object(json!({ "b": inner, "cD": { "type": "array", "items": { "enum": ["e"] } } })),
        "T": { "oneOf": [{ "title": "a", "type": "object", "properties": { "b": inner } }, { "type": "string" }] }
    });
    let names = made("letters", schema, None);
    assert_eq!(names, ["FooXy", "Xyz", "PlanAb", "PlanAcdItem", "PlanA", "TaB", "Ta", "T"]);
}

#[test]
fn a_definition_has_the_name_that_the_overlay_gives() {
    for name in ["self", "Self", "Option", "3D", "", "§", "TIMES"] {
        let taken =
            json!({ name: object(json!({})), "A": object(json!({ "b": { "$ref": format!("#/$defs/{name}") } })) });
        let names = made("given", taken, named(&[(name, "Given")]));
        assert_eq!(names, ["Given", "A"], "{name}");
    }
    let same = json!({ "URLThing": object(json!({})), "UrlThing": object(json!({})) });
    refused("same", &same, None, "name it under `names` in an overlay");
    assert_eq!(made("same-named", same.clone(), named(&[("URLThing", "BigThing")])), ["BigThing", "UrlThing"]);
    assert_eq!(made("same-swapped", same.clone(), named(&[("UrlThing", "SmallThing")])), ["UrlThing", "SmallThing"]);
    refused("taken", &same, named(&[("URLThing", "UrlThing")]), "`URLThing` is to be called `UrlThing`, which is");
    let twice = named(&[("URLThing", "Thing"), ("UrlThing", "Thing")]);
    refused("twice", &same, twice, "`UrlThing` is to be called `Thing`, which is another definition");
    refused("odd", &same, named(&[("URLThing", "no name")]), "`no name` cannot be the name of a Rust type");
}

/// The reference is a JSON pointer in a URI, so some characters are escaped.
#[test]
fn a_reference_names_a_definition_with_what_it_has_to_escape() {
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let properties = json!({ "a": to("Record%3Cstring%3E"), "b": to("x~1y"), "c": to("q~0r"), "d": to("with space") });
    let schema = json!({ "Record<string>": {}, "x/y": {}, "q~r": {}, "with space": {}, "T": object(properties) });
    assert_eq!(made("escaped", schema, None), ["RecordString", "Xy", "Qr", "WithSpace", "T"]);
}

#[test]
fn a_part_that_would_take_the_name_of_a_definition_gets_another() {
    let inner = object(json!({ "x": { "type": "string" } }));
    let schema = json!({ "FooBar": object(json!({})), "Foo": object(json!({ "bar": inner })) });
    let what = "a part of this is to be called `FooBar`, which is something else already; give that definition another";
    refused("part", &schema, None, what);
    assert_eq!(made("part-named", schema, named(&[("FooBar", "Bar")])), ["Bar", "FooBar", "Foo"]);
    let alone = json!({ "Foo": object(json!({ "bar": inner })) });
    assert_eq!(made("part-alone", alone, named(&[("FooBar", "Bar")])), ["Bar", "Foo"]);
    let odd = json!({ "Foo": object(json!({ "§": inner })) });
    let overlay = json!({ "fields": [{ "field": "Foo.§", "name": "section", "why": "to see" }] });
    assert_eq!(made("part-odd", odd, Some(overlay)), ["FooSection", "Foo"]);
    let tagged = json!({ "type": "object", "properties": { "t": { "const": "x" } }, "required": ["t"] });
    let open = json!({ "title": "other", "type": "object", "properties": { "t": { "type": "string" } },
                       "required": ["t"], "not": { "anyOf": [tagged] } });
    let schema = json!({ "Foo": { "oneOf": [tagged, open] }, "OtherFoo": object(json!({})) });
    refused("other", &schema, None, "name that definition, or the union, under `names` in an overlay");
    assert_eq!(made("other-named", schema, named(&[("OtherFoo", "Far")])), ["Foo", "OtherFoo", "Far"]);
}
