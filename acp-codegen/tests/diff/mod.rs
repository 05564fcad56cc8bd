//! For every kind of change there is a small pair of schemas. The test checks the reported changes and their verdicts.

#![cfg(feature = "cli")]

mod choices;
mod fields;
mod methods;
mod reports;

use std::fs;
use std::path::Path;

use acp_codegen::Builder;
use acp_codegen::diff::{self, Diff, Format, Surface, Verdict};
use serde_json::{Value, json};

fn surface(name: &str, definitions: &Value) -> Surface {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diff-{name}.json"));
    fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
    Surface::read(&Builder::new().schema(&path)).unwrap_or_else(|error| panic!("{error}"))
}

fn compare(name: &str, old: &Value, new: &Value) -> Diff {
    diff::compare(&surface(&format!("{name}-old"), old), &surface(&format!("{name}-new"), new), None)
}

/// Asserts that `diff` finds these changes, written as `item words: verdict`, and no others.
#[track_caller]
fn changes(name: &str, old: Value, new: Value, expected: &[&str]) {
    let diff = compare(name, &old, &new);
    let found: Vec<String> = diff
        .changes
        .iter()
        .map(|change| format!("{} {}: {}", change.item, change.what.words(), change.verdict.word()))
        .collect();
    assert_eq!(found, expected, "{}", diff.report(Format::Text, "old", "new"));
}

/// A definition `T` with these properties; those in `required` are required.
fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "T": { "type": "object", "properties": properties, "required": required } })
}

/// A definition `T` with one property `a`.
fn field(schema: Value, required: bool) -> Value {
    object(json!({ "a": schema }), if required { &["a"] } else { &[] })
}

fn words(list: &[&str]) -> Value {
    let words: Vec<Value> = list.iter().map(|word| json!({ "const": word, "type": "string" })).collect();
    json!({ "T": { "oneOf": words } })
}

fn method(wire: &str, stem: &str, docs: &str) -> Value {
    let kind = |suffix: &str| format!("{stem}{suffix}");
    let payload = json!({ "type": "object", "x-method": wire, "x-side": "agent", "description": docs });
    json!({ kind("Request"): payload, kind("Response"): payload })
}

const DRAFT: &str = "**UNSTABLE**\n\nNot part of the spec yet.";

#[test]
fn nothing() {
    let same = field(json!({ "type": "string" }), true);
    let diff = compare("same", &same, &same);
    assert_eq!(diff.verdict(), Verdict::Same);
    let documented = field(json!({ "type": "string", "description": "Said anew." }), true);
    assert_eq!(compare("documented", &same, &documented).verdict(), Verdict::Same, "documentation is no API");
}
