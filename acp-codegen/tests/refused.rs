//! The generator's refusals. Each is an error with the file, the place, the mistake and the remedy, and never a panic.

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Value, json};

/// Generates from a schema with these definitions, and an overlay if one is given.
fn generate(name: &str, definitions: Value, overlay: Option<Value>) -> Result<Generated, Error> {
    from_text(name, &json!({ "$defs": definitions }).to_string(), overlay)
}

fn from_text(name: &str, schema: &str, overlay: Option<Value>) -> Result<Generated, Error> {
    let mut builder = Builder::new().schema(file(&format!("refused-{name}.json"), schema));
    if let Some(overlay) = overlay {
        builder = builder.overlay(file(&format!("refused-{name}.overlay.json"), &overlay.to_string()));
    }
    builder.generate()
}

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("the directory for temporary files is writable");
    path
}

/// Asserts that the error contains the place (after `#`), and that its message begins with the mistake.
#[track_caller]
fn refused(result: Result<Generated, Error>, pointer: &str, what: &str) {
    let error = match result {
        Ok(generated) => panic!("accepted:\n{}", generated.rust),
        Err(error) => error.to_string(),
    };
    let (_, rest) = error.split_once('#').unwrap_or_else(|| panic!("no place in: {error}"));
    let expected = format!("{pointer}: {what}");
    assert!(rest.starts_with(&expected), "expected `{expected}`, got `{rest}`");
    let help = rest.rsplit_once("; ").map(|(_, help)| help);
    assert!(help.is_some_and(|help| help.len() > 10), "no help in `{rest}`");
}

fn object(properties: Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

#[test]
fn files_that_are_no_schema() {
    let missing = Builder::new().schema("nowhere/schema.json").generate();
    assert!(matches!(missing, Err(Error::Read { .. })));
    let truncated = from_text("truncated", r#"{"$defs": {"A": {"type""#, None);
    assert!(matches!(truncated, Err(Error::Json { .. })));
    let deep = from_text("deep", &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)), None);
    assert!(matches!(deep, Err(Error::Json { .. })));
    for text in ["{}", "[]", "3", r#"{"$defs": {}}"#, r#"{"$defs": [1]}"#, r#"{"definitions": []}"#] {
        refused(from_text("no-defs", text, None), "", "there is no `$defs`");
    }
}

#[test]
fn a_key_that_is_given_twice() {
    let schema = r#"{"$defs": {"A": {"type": "string"}, "B": {"properties": {"a/b": {}, "a/b": {}}}}}"#;
    refused(from_text("twice-field", schema, None), "/$defs/B/properties/a~1b", "the key `a/b` is given a second time");
    let schema = "{\"$defs\": {\"A\": {\"type\": \"string\"},\n\"A\": {\"type\": \"integer\"}}}";
    refused(from_text("twice-defined", schema, None), "/$defs/A", "the key `A` is given a second time, in line 2");
}

#[test]
fn references_that_lead_nowhere() {
    let dangling = json!({ "A": object(json!({ "b": { "$ref": "#/$defs/B" } })) });
    refused(generate("dangling", dangling, None), "/$defs/A/properties/b/$ref", "there is no definition `B`");
    let named = json!({ "A": { "$ref": "#/$defs/B" }, "C": { "allOf": [{ "$ref": "#/$defs/A" }] } });
    refused(generate("dangling-name", named, None), "/$defs/A/$ref", "there is no definition `B`");
    let outside = json!({ "A": { "$ref": "other.json#/B" } });
    refused(generate("outside", outside, None), "/$defs/A/$ref", "this `$ref` leads out of `$defs`");
    let circle = json!({ "A": { "$ref": "#/$defs/B" }, "B": { "allOf": [{ "$ref": "#/$defs/A" }] } });
    refused(generate("circle", circle, None), "/$defs/A", "`A` is defined as itself, through `");
}

#[test]
fn a_union_that_contains_itself() {
    let tagged = |word: &str, name: &str| {
        let reference = format!("#/$defs/{name}");
        json!({ "type": "object", "properties": { "type": { "type": "string", "const": word } }, "required": ["type"],
                "allOf": [{ "$ref": reference }] })
    };
    let leaf = object(json!({ "text": { "type": "string" } }));
    let direct = object(json!({ "inner": { "anyOf": [{ "$ref": "#/$defs/U" }, { "type": "null" }] } }));
    let union = json!({ "oneOf": [tagged("leaf", "Leaf"), tagged("branch", "Branch")] });
    let definitions = json!({ "U": union, "Leaf": leaf, "Branch": direct });
    let direct = generate("itself", definitions, None).expect("an object is in between");
    assert!(direct.rust.contains("inner: ::std::option::Option<::std::boxed::Box<U>>"), "{}", direct.rust);
    let endless = json!({ "U": { "oneOf": [tagged("leaf", "Leaf"), tagged("branch", "U")] }, "Leaf": leaf });
    refused(generate("endless", endless, None), "/$defs/U", "`U` contains itself");
    let listed = object(json!({ "inner": { "type": "array", "items": { "$ref": "#/$defs/U" } } }));
    generate("itself-listed", json!({ "U": union, "Leaf": leaf, "Branch": listed }), None)
        .expect("a list is in between");
    let boxed = object(json!({ "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] } }));
    let boxed = generate("boxed", json!({ "Node": boxed }), None).expect("structs are boxed");
    assert!(boxed.rust.contains("Box<Node>"), "{}", boxed.rust);
}

#[test]
fn constructs_outside_the_dialect() {
    let cases = [
        (json!(true), "", "a schema must be an object here"),
        (json!({ "type": "object", "patternProperties": {} }), "/patternProperties", "the keyword `patternProperties`"),
        (json!({ "x-deserialize-someday": true }), "/x-deserialize-someday", "the decoding rule"),
        (json!({ "type": "thing" }), "/type", "this `type` is not supported"),
        (json!({ "type": ["string", "string"] }), "/type", "this `type` is not supported"),
        (json!({ "type": [] }), "/type", "this `type` is not supported"),
        (
            json!({ "allOf": [{ "type": "object", "properties": { "a": { "type": "string" } } },
                              { "type": "object", "properties": { "a": { "type": "integer" } } }] }),
            "/allOf",
            "`type` differs in schemas that hold together",
        ),
        (json!({ "allOf": [{ "const": "a" }, { "const": "b" }] }), "/allOf", "`const` differs in schemas that hold"),
        (json!({ "allOf": [{ "$ref": "#/$defs/A" }, { "type": "object" }] }), "/allOf", "these schemas lead back"),
        (json!({ "oneOf": [] }), "/oneOf", "`oneOf` is no list of schemas"),
        (json!({ "type": "object", "properties": 3 }), "/properties", "`properties` is no object"),
        (json!({ "type": "object", "required": ["a"] }), "/required/0", "\"a\" is required, but is no property"),
        (json!({ "enum": ["a", 1] }), "/enum", "this `enum` is not a list of texts"),
        (json!({ "enum": [] }), "/enum", "this `enum` is not a list of texts"),
        (json!({ "enum": ["a"], "type": "integer" }), "/enum", "this `enum` is not a list of texts"),
        (json!({ "const": 1.5 }), "/const", "a `const` that is no string or integer"),
        (object(json!({ "a": { "format": "uri" } })), "/properties/a/format", "`format` does not go together"),
        (object(json!({ "a": { "type": "integer", "format": "int128" } })), "/properties/a", "the integer format"),
        (
            object(json!({ "a": { "type": "array", "items": {}, "default": {} } })),
            "/properties/a/default",
            "the default `{}` is no value of this: it is no `array`",
        ),
        (json!({ "type": "string", "properties": {} }), "/type", "this is described as `object`"),
        (json!({ "type": "object", "items": {} }), "/items", "`items` does not go together"),
        (json!({ "oneOf": [{}, { "type": "integer" }] }), "/oneOf/0", "this branch has neither"),
        (json!({ "oneOf": [{ "type": "number" }, { "type": "integer" }] }), "/oneOf", "two branches are both called"),
        (json!({ "oneOf": [{ "const": "a", "type": "integer" }] }), "/oneOf/0/type", "this is described as `string`"),
        (json!({ "x-docs-ignore": true, "type": "object" }), "", "this message has an unexpected form"),
    ];
    for (number, (definition, pointer, what)) in cases.into_iter().enumerate() {
        let result = generate(&format!("dialect-{number}"), json!({ "A": definition }), None);
        refused(result, &format!("/$defs/A{pointer}"), what);
    }
}

/// Taken out, a required property would refuse `null`.
#[test]
fn nullable_of_another_dialect() {
    let cases = [
        (json!({ "type": "boolean", "nullable": true }), r#"write `"type": ["boolean", "null"]`"#),
        (
            json!({ "$ref": "#/$defs/A", "nullable": true }),
            r##"write `"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]`"##,
        ),
        (json!({ "enum": ["a"], "nullable": true }), "list `null` among its types or its branches"),
        (json!({ "type": "boolean", "nullable": false }), "take it out"),
    ];
    for (number, (property, help)) in cases.into_iter().enumerate() {
        let definition = json!({ "type": "object", "properties": { "x": property }, "required": ["x"] });
        let error = generate(&format!("nullable-{number}"), json!({ "A": definition }), None);
        let error = error.map(|generated| generated.rust).expect_err("it is no keyword").to_string();
        let place = "#/$defs/A/properties/x/nullable: the keyword `nullable` is not supported; ";
        let (_, told) = error.split_once(place).unwrap_or_else(|| panic!("no place in {error}"));
        assert!(told.starts_with(help), "{told}");
    }
}

#[test]
fn references_to_the_definitions_of_another_draft() {
    let cases = [("definitions", "$defs"), ("$defs", "definitions")];
    for (place, other) in cases {
        let reference = json!({ "items": { "$ref": format!("#/{other}/B") } });
        let schema = json!({ place: { "A": object(json!({ "b": reference })), "B": {} } });
        let result = from_text(&format!("draft-{}", other.trim_start_matches('$')), &schema.to_string(), None);
        let what = format!("this `$ref` leads to `{other}`, and the definitions stand under `{place}`");
        refused(result, &format!("/{place}/A/properties/b/items/$ref"), &what);
    }
}

#[test]
fn names_that_are_none() {
    for name in ["self", "Self", "Option", "3D", "", "§"] {
        let pointer = format!("/$defs/{}", name.replace('/', "~1"));
        let result = generate("names", json!({ name: object(json!({})) }), None);
        refused(result, &pointer, &format!("`{name}` cannot be the name of a Rust type"));
    }
    let twice = json!({ "URLThing": object(json!({})), "UrlThing": object(json!({})) });
    refused(generate("twice", twice, None), "/$defs/URLThing", "`URLThing` cannot be the name of a Rust type");
    let given =
        json!({ "URLThing": object(json!({ "a": { "$ref": "#/$defs/with space" } })), "with space": {}, "a/b": {} });
    let given = generate("given-names", given, None).expect("each has a name in Rust");
    for name in ["struct UrlThing", "type WithSpace", "type Ab"] {
        assert!(given.rust.contains(name), "no {name} in {}", given.rust);
    }
    let same = object(json!({ "fooBar": { "type": "string" }, "foo_bar": { "type": "string" } }));
    let result = generate("same-field", json!({ "A": same }), None);
    refused(result, "/$defs/A/properties/foo_bar", "`foo_bar` and `fooBar` give the same Rust field");
    let odd = object(json!({ "§": { "type": "string" } }));
    refused(generate("odd-field", json!({ "A": odd }), None), "/$defs/A/properties/§", "`§` gives no Rust field name");
    let new = object(json!({ "new": { "type": "string" } }));
    refused(generate("new", json!({ "A": new }), None), "/$defs/A/properties/new", "`new` gives no Rust field name");
    let words = json!({ "oneOf": [{ "const": "a b" }, { "const": "a_b" }] });
    refused(generate("words", json!({ "A": words }), None), "/$defs/A/oneOf/1", "two values of `A` are both called");
    let rest = json!({ "anyOf": [{ "type": "string", "const": "other" }, { "type": "string" }] });
    refused(
        generate("rest", json!({ "A": rest }), None),
        "/$defs/A/anyOf",
        "a value of `A` and what stands for all others are both called",
    );
    let keywords = object(json!({ "type": { "type": "string" }, "match": { "type": "string" } }));
    let keywords = generate("keywords", json!({ "A": keywords }), None).expect("keywords get an underscore");
    assert!(keywords.rust.contains("pub match_:"), "{}", keywords.rust);
}

#[test]
fn names_of_variants_methods_and_messages() {
    let number = json!({ "oneOf": [{ "const": "1a" }, { "const": "b" }] });
    refused(generate("number", json!({ "A": number }), None), "/$defs/A/oneOf/0", "`1a` gives no name for a variant");
    let overlay = json!({ "variants": [{ "type": "A", "value": "1a", "name": "no name", "why": "to see" }] });
    let given = generate("given", json!({ "A": number }), Some(overlay));
    refused(given, "/$defs/A/oneOf/0", "`1a` gives no name for a variant");
    let method = |name: &str| json!({ "GoNotification": { "type": "object", "x-method": name, "x-side": "agent" } });
    refused(generate("method", method("1/2"), None), "/$defs/GoNotification", "the method `1/2` gives no Rust name");
    let message = |title: &str| {
        let payload = json!({ "title": title, "allOf": [{ "$ref": "#/$defs/GoNotification" }] });
        object(json!({ "method": {}, "params": { "anyOf": [{ "anyOf": [payload] }, { "type": "null" }] } }))
    };
    let messages = |name: &str, title: &str| {
        let mut definitions = method("go");
        definitions[name] = message(title);
        definitions[name]["x-docs-ignore"] = json!(true);
        definitions
    };
    refused(generate("title", messages("M", "a b"), None), "/$defs/M", "`a b` cannot be the name of one payload");
    refused(generate("message", messages("1m", "A"), None), "/$defs/1m", "`1m` cannot be the name of a Rust type");
    generate("messages", messages("M", "A"), None).expect("this one is fine");
    let tagged = json!({ "type": "object", "properties": { "1a": { "const": "x" } }, "required": ["1a"] });
    let open = json!({ "title": "other", "type": "object", "properties": { "1a": { "type": "string" } },
                       "required": ["1a"], "not": { "anyOf": [tagged] } });
    let union = json!({ "U": { "oneOf": [tagged, open] } });
    refused(generate("tag", union, None), "/$defs/U/oneOf/1", "the tag `1a` gives no Rust field name");
}

#[test]
fn parts_that_would_take_another_types_name() {
    let split = json!({
        "type": "object",
        "properties": { "a": { "type": "string" } },
        "oneOf": [{ "type": "object", "properties": { "kind": { "const": "x" } }, "required": ["kind"] }],
    });
    let definitions = json!({ "Foo": split, "FooKind": object(json!({})) });
    refused(generate("taken", definitions, None), "/$defs/Foo", "a part of this is to be called `FooKind`");
    let tagged = json!({ "type": "object", "properties": { "t": { "const": "x" } }, "required": ["t"] });
    let open = json!({ "title": "other", "type": "object", "properties": { "t": { "type": "string" } },
                       "required": ["t"], "not": { "anyOf": [tagged] } });
    let definitions = json!({ "Foo": { "oneOf": [tagged, open] }, "OtherFoo": object(json!({})) });
    refused(generate("taken-other", definitions, None), "/$defs/Foo", "a part of this is to be called `OtherFoo`");
}

#[test]
fn methods_that_are_not_whole() {
    let method = |side: &str| json!({ "type": "object", "x-method": "a/b", "x-side": side });
    let alone = generate("alone", json!({ "DoRequest": method("agent") }), None);
    refused(alone, "/$defs/DoRequest", "`a/b` is a request, but has no response");
    let answer = generate("answer", json!({ "DoResponse": method("agent") }), None);
    refused(answer, "/$defs/DoResponse", "`a/b` has a response, but no request");
    let side = generate("side", json!({ "DoRequest": method("moon") }), None);
    refused(side, "/$defs/DoRequest/x-side", "\"moon\" is no side that receives methods; write one of `agent`");
    let nobody = json!({ "DoRequest": { "type": "object", "x-method": "a/b" } });
    refused(generate("nobody", nobody, None), "/$defs/DoRequest", "it is not said who receives this method");
    let role = generate("role", json!({ "Do": method("agent") }), None);
    refused(role, "/$defs/Do", "`Do` belongs to a method, but does not say as what");
    let twice = json!({ "ANotification": method("agent"), "BNotification": method("agent") });
    refused(generate("twice", twice, None), "/$defs/BNotification", "`BNotification` and `ANotification` both claim");
}

#[test]
fn overlays_that_say_what_cannot_be() {
    let a = || json!({ "A": object(json!({ "b": { "type": "string" } })) });
    let again = generate("again", a(), Some(json!({ "$defs": a() })));
    refused(again, "/$defs/A", "`A` is defined already");
    let typo = generate("typo", a(), Some(json!({ "pahts": [] })));
    refused(typo, "/pahts", "an overlay has no key `pahts`; did you mean `paths`?");
    let list = generate("list", a(), Some(json!([a()])));
    refused(list, "", "this is no overlay: it is no object");
    let reason = generate("reason", a(), Some(json!({ "paths": [{ "field": "A.b" }] })));
    refused(reason, "", "this is no overlay: missing field `why`");
    let from = json!({ "conversions": [{ "into": "A", "from": "Nobody", "why": "to see" }] });
    refused(generate("from", a(), Some(from)), "/conversions", "`A` cannot be made of `Nobody` this way");
    let number = json!({ "A": { "type": "object", "properties": { "b": { "type": "integer" } }, "required": ["b"] } });
    let from = json!({ "conversions": [{ "into": "A", "from": "string", "why": "to see" }] });
    refused(generate("text", number, Some(from)), "/conversions", "`A` cannot be made of `string` this way");
    let unused = json!({ "paths": [{ "field": "A.c", "why": "to see" }, { "field": "A.b", "why": "to see" }] });
    let unused = generate("unused", a(), Some(unused)).expect("an unused entry is only reported");
    assert_eq!(unused.unused, ["paths: A.c"]);
}

/// Internally, the stages use `oneOf` for `anyOf` and `enum`, and add definitions. The places in errors must be those
/// of the file.
#[test]
fn places_are_those_of_the_file() {
    let any = json!({ "anyOf": [{ "type": "string", "title": "Text" }, {}] });
    refused(generate("any", json!({ "A": any }), None), "/$defs/A/anyOf/1", "this branch has neither");
    let listed = json!({ "enum": ["a b", "a_b"] });
    refused(generate("listed", json!({ "A": listed }), None), "/$defs/A/enum/1", "two values of `A` are both called");
    let around = object(json!({ "a": { "allOf": [{ "$ref": "#/$defs/B" }], "items": {} } }));
    let around = generate("around", json!({ "A": around, "B": { "type": "string" } }), None);
    refused(around, "/$defs/A/properties/a/items", "`items` does not go together");
    let branch = json!({ "title": "Xy", "type": "object", "properties": { "a": { "const": 1, "items": {} } } });
    let inside = json!({ "anyOf": [branch, { "type": "string" }] });
    let pointer = "/$defs/A/anyOf/0/properties/a/items";
    refused(generate("inside", json!({ "A": inside }), None), pointer, "`items` does not go together");
    let renamed = json!({ "URLThing": object(json!({ "a": { "type": "integer", "format": "int7" } })) });
    refused(generate("renamed", renamed, None), "/$defs/URLThing/properties/a", "the integer format `int7`");
    let old = r##"{"definitions": {"A": {"properties": {"b": {"$ref": "#/definitions/B"}}}}}"##;
    refused(from_text("old", old, None), "/definitions/A/properties/b/$ref", "there is no definition `B`");
}

#[test]
fn all_that_is_refused_is_said_at_once() {
    let a =
        object(json!({ "x": { "if": {} }, "y": { "type": "thing" }, "z": { "type": "integer", "format": "int7" } }));
    let b = json!({ "oneOf": [{}, { "type": "integer" }] });
    let made_of_a = json!({ "allOf": [{ "$ref": "#/$defs/A" }, object(json!({ "w": { "type": "string" } }))] });
    let definitions = json!({ "A": a, "B": b, "C": made_of_a, "D": object(json!({ "new": { "type": "string" } })) });
    let Err(Error::Several(errors)) = generate("several", definitions, None) else { panic!("accepted") };
    let pointer = |error: &Error| match error {
        Error::Unsupported { at, .. } | Error::Name { at, .. } => at.pointer.clone(),
        other => panic!("{other}"),
    };
    let pointers: Vec<String> = errors.iter().map(pointer).collect();
    let expected =
        ["/$defs/A/properties/x/if", "/$defs/A/properties/y/type", "/$defs/D/properties/new", "/$defs/B/oneOf/0"];
    assert_eq!(pointers, expected);
    let lines = Error::Several(errors).to_string();
    assert_eq!(lines.lines().count(), 4, "{lines}");
}
