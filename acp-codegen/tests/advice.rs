//! The documentation lists constructs that the generator refuses, with a replacement for each. The generator must
//! refuse each construct with the listed words, and must accept the replacement.

use std::fs;
use std::path::Path;

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Value, json};

fn generate(definition: &Value) -> Result<Generated, Error> {
    let property = json!({ "type": "object", "properties": { "b": { "type": "string" } } });
    let definitions = json!({ "A": definition, "B": { "enum": [1] }, "C": { "enum": ["a"] }, "Part": property });
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advice.json");
    fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
    Builder::new().schema(path).generate()
}

#[test]
fn what_is_documented_as_refused_is_refused_and_the_advice_helps() {
    let of = |property: Value| json!({ "type": "object", "properties": { "a": property } });
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let pair = json!([{ "type": "string" }, { "type": "integer" }]);
    let list = |items: Value| json!({ "type": "array", "items": items });
    let rows = [
        ("is no value of this", of(json!({ "type": "string", "default": 1 })), of(json!({ "type": "string" }))),
        (
            "the keyword `prefixItems` is not supported",
            json!({ "type": "array", "prefixItems": pair }),
            list(json!({ "anyOf": pair })),
        ),
        (
            "the keyword `patternProperties` is not supported",
            json!({ "type": "object", "patternProperties": { "^x": { "type": "string" } } }),
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        ),
        ("is not supported", json!({ "type": "object", "if": {} }), json!({ "type": "object" })),
        ("a `const` that is no string or integer", json!({ "const": true }), json!({ "type": "boolean" })),
        ("not a list of texts, or of integers", json!({ "enum": ["a", 1] }), json!({ "anyOf": [to("C"), to("B")] })),
        ("not a list of texts, or of integers", json!({ "enum": [1.5] }), json!({ "type": "number" })),
        (
            "contains itself",
            json!({ "anyOf": [{ "type": "string" }, to("A")] }),
            json!({ "anyOf": [{ "type": "string" }, of(to("A"))] }),
        ),
        ("is a list or a map of itself", list(to("A")), list(json!({ "anyOf": [to("A"), { "type": "string" }] }))),
        (
            "differs in schemas that hold together",
            json!({ "allOf": [to("Part"), { "properties": { "b": { "type": "integer" } } }] }),
            json!({ "allOf": [to("Part"), { "properties": { "b": { "minLength": 1 } } }] }),
        ),
        ("leads out of `$defs`", of(json!({ "$ref": "#" })), of(to("A"))),
        ("leads into", of(json!({ "$ref": "#/$defs/Part/properties/b" })), of(to("Part"))),
        (
            "the integer format",
            json!({ "type": "integer", "format": "int128" }),
            json!({ "type": "integer", "format": "int64" }),
        ),
    ];
    let documentation = include_str!("../src/lib.rs");
    for (words, refused, instead) in rows {
        let error = generate(&refused).map(drop).expect_err("it is refused").to_string();
        assert!(error.contains(words), "expected `{words}`, got `{error}`");
        assert!(documentation.contains(&format!("| {words} |")), "`{words}` is not in the documentation");
        generate(&instead).unwrap_or_else(|error| panic!("{instead}: {error}"));
    }
}
