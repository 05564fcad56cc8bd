//! Schemas that are large, deep or endless. The generator returns code, or a limit refuses the schema before it takes
//! much time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Map, Value, json};

/// A time limit for a busy machine. Without the limits, these tests would take minutes or never end.
const PATIENCE: Duration = Duration::from_secs(60);

fn file(name: &str, content: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("large-{name}.json"));
    fs::write(&path, content).expect("the directory for temporary files is writable");
    path
}

fn generate(name: &str, definitions: &Map<String, Value>) -> Result<Generated, Error> {
    let start = Instant::now();
    let path = file(name, &json!({ "$defs": definitions }).to_string());
    let result = Builder::new().schema(&path).generate();
    assert!(start.elapsed() < PATIENCE, "{name} took {:?}", start.elapsed());
    result
}

/// `Caaaa`, `Cbaaa`, ..: a name that is one word.
fn name(number: usize) -> String {
    let letter = |number: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[number % 26]);
    format!("C{}{}{}{}", letter(number), letter(number / 26), letter(number / 676), letter(number / 17_576))
}

/// Definitions that each contain the next one. The last one contains `end`.
fn chain(length: usize, link: impl Fn(Value) -> Value, end: &str) -> Map<String, Value> {
    let mut definitions: Map<String, Value> = (0..length)
        .map(|number| {
            let next = if number + 1 == length { end.to_owned() } else { name(number + 1) };
            (name(number), link(json!({ "$ref": format!("#/$defs/{next}") })))
        })
        .collect();
    definitions.insert("End".to_owned(), json!({ "type": "string" }));
    definitions
}

fn holds(next: Value) -> Value {
    json!({ "type": "object", "properties": { "next": next }, "required": ["next"] })
}

#[track_caller]
fn refused(result: Result<Generated, Error>, expected: &str) {
    let error = result.map(|generated| generated.definitions).expect_err("it is too much").to_string();
    assert!(error.contains(expected), "expected `{expected}` in `{error}`");
}

#[test]
fn a_hundred_thousand_definitions_are_refused_with_the_limit() {
    let definitions: Map<String, Value> =
        (0..100_000).map(|number| (name(number), json!({ "type": "string" }))).collect();
    refused(generate("many", &definitions), "#/$defs: there are 100000 definitions, and more than 20000 are not");
    let half: Map<String, Value> =
        definitions.into_iter().take(15_000).map(|(name, value)| (format!("{name}More"), value)).collect();
    let schema = file("half", &json!({ "$defs": chain(10_000, |_| json!({ "type": "string" }), "End") }).to_string());
    let overlay = file("half-overlay", &json!({ "$defs": half }).to_string());
    let both = Builder::new().schema(schema).overlay(overlay).generate();
    refused(both, "half-overlay.json#/$defs: there are 25001 definitions");
}

#[test]
fn lists_without_end_are_refused() {
    let fields: Map<String, Value> = (0..100_000).map(|n| (format!("f{n}"), json!({ "type": "string" }))).collect();
    let wide = json!({ "Wide": { "type": "object", "properties": fields } });
    refused(
        generate("wide", wide.as_object().expect("an object")),
        "#/$defs/Wide/properties: there are 100000 entries",
    );
    let words: Vec<Value> = (0..100_000).map(|n| json!({ "const": format!("w{n}") })).collect();
    let long = json!({ "Long": { "oneOf": words } });
    refused(generate("long", long.as_object().expect("an object")), "#/$defs/Long/oneOf: there are 100000 entries");
}

#[test]
fn a_file_without_end_is_refused() {
    let big = file("big", &" ".repeat(33 * 1024 * 1024));
    refused(Builder::new().schema(&big).generate(), "it has more than 33554432 bytes");
    fs::remove_file(big).expect("it is there");
    #[cfg(target_os = "linux")]
    refused(Builder::new().schema("/dev/zero").generate(), "it has more than 33554432 bytes");
}

/// Each list is within its limit, but the sum of the lists is not.
#[test]
fn many_long_lists_are_refused() {
    let fields: Map<String, Value> = (0..1_000).map(|n| (format!("f{n}"), json!({ "type": "string" }))).collect();
    let object = json!({ "type": "object", "properties": fields });
    let definitions: Map<String, Value> = (0..300).map(|number| (name(number), object.clone())).collect();
    refused(generate("area", &definitions), "with this there are more than 500000 values in the schema");
}

/// The stages that follow references must not recurse.
#[test]
fn long_chains_of_references() {
    generate("structs", &chain(1_000, holds, "End")).expect("structs in structs");
    generate("ring", &chain(1_000, holds, "Caaaa")).expect("structs are boxed");
    generate("aliases", &chain(1_000, |next| next, "End")).expect("other names for one text");
    let circle = generate("circle", &chain(1_000, |next| next, "Caaaa"));
    refused(circle, "#/$defs/Caaaa: `Caaaa` is defined as itself");
    let union = |next: Value| {
        let tag = json!({ "kind": { "type": "string", "const": "a" } });
        json!({ "oneOf": [{ "type": "object", "properties": tag, "required": ["kind"], "allOf": [holds(next)["properties"]["next"]] }] })
    };
    refused(generate("unions", &chain(1_000, union, "Caaaa")), "contains itself");
}

/// Each definition contains the next one twice. Written out in full, this would need more than all memory.
#[test]
fn doubling_is_not_written_out() {
    let twice =
        |next: Value| json!({ "type": "object", "properties": { "a": next, "b": next }, "required": ["a", "b"] });
    generate("twice", &chain(100, twice, "End")).expect("each definition is read once");
}

#[test]
fn nesting_is_refused_before_it_fills_the_stack() {
    let nest = |depth: usize| {
        let (open, close) = (r#"{"type":"array","items":"#.repeat(depth), "}".repeat(depth));
        file("deep", &format!(r#"{{"$defs":{{"A":{open}{{"type":"string"}}{close}}}}}"#))
    };
    Builder::new().schema(nest(39)).generate().expect("lists of lists are read");
    for depth in [40, 120] {
        let pointer = format!("#/$defs/A{}: this is nested more than 40 deep", "/items".repeat(40));
        refused(Builder::new().schema(nest(depth)).generate(), &pointer);
    }
    let error = Builder::new().schema(nest(10_000)).generate().expect_err("ten thousand are not").to_string();
    assert!(error.contains("recursion limit exceeded at line 1"), "{error}");
}
