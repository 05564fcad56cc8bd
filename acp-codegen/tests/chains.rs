//! Long chains and circles of definitions. On any stack, the generator returns code, or an error with a place.

use std::fs;
use std::path::Path;
use std::thread;

use acp_codegen::{Builder, Error, Generated};
use serde_json::{Map, Value, json};

/// The longest chain that the limit of definitions allows.
const LONGEST: usize = 19_999;
/// A shorter chain, because these tests print much code, and a debug build is slow.
const LONG: usize = 4_000;

/// Generates on a thread with a very small stack. Build scripts, tests and plugins of editors have larger stacks.
fn generate(name: &str, definitions: &Value) -> Result<Generated, Error> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chains-{name}.json"));
    fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
    let thread = thread::Builder::new().stack_size(256 << 10);
    let running = thread.spawn(move || Builder::new().schema(path).generate()).expect("there is memory for a thread");
    running.join().expect("nothing panics")
}

#[track_caller]
fn refused(name: &str, definitions: &Value, expected: &str) {
    let error = generate(name, definitions).map(|generated| generated.rust).expect_err(name).to_string();
    assert!(error.contains(expected), "expected `{expected}` in `{error}`");
}

/// `Caaaa`, `Cbaaa`, ..: a name that is one word.
fn name(number: usize) -> String {
    let letter = |number: usize| char::from(b"abcdefghijklmnopqrstuvwxyz"[number % 26]);
    format!("C{}{}{}{}", letter(number), letter(number / 26), letter(number / 676), letter(number / 17_576))
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Definitions that each lead to the next one by `link`. The last one leads to `end`.
fn chain(length: usize, link: impl Fn(Value) -> Value, end: &str) -> Value {
    let next = |number| if number + 1 == length { end.to_owned() } else { name(number + 1) };
    let mut definitions: Map<String, Value> =
        (0..length).map(|number| (name(number), link(reference(&next(number))))).collect();
    definitions.insert("End".to_owned(), json!({ "type": "string" }));
    Value::Object(definitions)
}

fn all_of(next: Value) -> Value {
    json!({ "description": "Another name.", "allOf": [next] })
}

fn field(next: Value) -> Value {
    json!({ "type": "object", "properties": { "next": next }, "required": ["next"] })
}

fn optional(next: Value) -> Value {
    json!({ "type": "object", "properties": { "next": { "anyOf": [next, { "type": "null" }] } } })
}

fn list(next: Value) -> Value {
    json!({ "type": "object", "properties": { "next": { "type": "array", "items": next } } })
}

fn map(next: Value) -> Value {
    json!({ "type": "object", "properties": { "next": { "type": "object", "additionalProperties": next } } })
}

fn list_alias(next: Value) -> Value {
    json!({ "type": "array", "items": next })
}

fn shapes(next: Value) -> Value {
    let mut branch = next;
    branch["title"] = json!("Next");
    json!({ "anyOf": [branch, { "title": "Text", "type": "string" }] })
}

fn tagged(next: Value) -> Value {
    let tag = json!({ "kind": { "type": "string", "const": "a" } });
    json!({ "oneOf": [{ "type": "object", "properties": tag, "required": ["kind"], "allOf": [next] }] })
}

#[test]
fn the_deepest_nesting() {
    let deep = (0..37).fold(json!({ "type": "string" }), |inner, _| json!({ "type": "array", "items": inner }));
    let generated = generate("deep", &json!({ "A": field(deep) })).expect("it is within the limit");
    assert!(generated.rust.matches("Vec<").count() >= 37, "{}", generated.rust);
}

/// The name of a case, and a function. The function makes a definition that leads to the given one.
type Link = (&'static str, fn(Value) -> Value);

#[test]
fn references_that_lead_on_for_long() {
    let links: [(Link, usize); 4] = [
        (("ref", |next| next), LONGEST),
        (("all-of", all_of), LONGEST),
        (("field", field), LONG),
        (("list", list), LONG),
    ];
    for ((case, link), length) in links {
        let generated = generate(case, &chain(length, link, "End")).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert_eq!(generated.definitions, length + 1);
    }
}

#[test]
fn long_circles() {
    for (case, link) in [("ref-circle", (|next| next) as fn(Value) -> Value), ("all-of-circle", all_of)] {
        refused(case, &chain(LONGEST, link, "Caaaa"), "#/$defs/Caaaa: `Caaaa` is defined as itself, through");
    }
    for (case, link) in [("shape-circle", shapes as fn(Value) -> Value), ("tag-circle", tagged)] {
        refused(case, &chain(LONGEST, link, "Caaaa"), "#/$defs/Caaaa: `Caaaa` contains itself");
    }
    let ring = generate("field-circle", &chain(LONG, optional, "Caaaa")).expect("structs are boxed");
    assert!(ring.rust.contains("Box<"), "somewhere in the ring");
}

#[test]
fn circles_of_every_kind() {
    for length in [1, 2, 3] {
        let circle = |link: fn(Value) -> Value| chain(length, link, "Caaaa");
        let case = |kind: &str| format!("{kind}-{length}");
        let links: [Link; 3] = [("optional", optional), ("list", list), ("map", map)];
        for (kind, link) in links {
            let generated = generate(&case(kind), &circle(link)).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let boxed = generated.rust.contains("Box<Caaaa>") || generated.rust.contains("Box<C");
            assert_eq!(boxed, kind == "optional", "{kind}:\n{}", generated.rust);
        }
        refused(&case("alias"), &circle(|next| next), "`Caaaa` is defined as itself");
        refused(&case("all-of"), &circle(all_of), "`Caaaa` is defined as itself");
        refused(&case("list-alias"), &circle(list_alias), "`Caaaa` is a list or a map of itself");
        refused(&case("shapes"), &circle(shapes), "`Caaaa` contains itself");
        refused(&case("tagged"), &circle(tagged), "`Caaaa` contains itself");
    }
}
