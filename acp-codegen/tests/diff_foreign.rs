//! `diff` must give a verdict for shapes from other protocols, and must not refuse them. Such shapes are defaults that
//! are values of other definitions, lists of integers, numbers, further properties, and recursive types.

#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

fn file(name: &str, definitions: &Value) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diff-foreign-{name}.json"));
    fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
    path
}

/// The exit code, and the printed text of each change.
fn diff(name: &str, old: &Value, new: &Value) -> (i32, String) {
    let files = [file(&format!("{name}-old"), old), file(&format!("{name}-new"), new)];
    let output = Command::new(env!("CARGO_BIN_EXE_acp-codegen")).arg("diff").args(files).output().expect("it starts");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code().expect("it exits"), String::from_utf8(output.stdout).expect("UTF-8"))
}

#[track_caller]
fn told(name: &str, old: &Value, new: &Value, code: i32, what: &str) {
    let (exit, printed) = diff(name, old, new);
    assert!(
        exit == code && printed.contains(&what.replace('`', "")),
        "expected {code} and `{what}`, got {exit} and\n{printed}"
    );
    assert_eq!(diff(&format!("{name}-same"), old, old).0, 0);
    assert_eq!(diff(&format!("{name}-same"), new, new).0, 0);
}

#[test]
fn another_default_of_another_definition_has_a_verdict() {
    let of = |property: Value| {
        json!({
            "Colour": { "type": "string", "enum": ["red", "green"] },
            "Level": { "type": "integer", "enum": [1, 2] },
            "Free": { "type": "object", "properties": { "a": { "type": "string" } } },
            "T": { "type": "object", "properties": { "a": property } }
        })
    };
    let to = |name: &str, default: Option<Value>| {
        let mut all_of = json!({ "allOf": [{ "$ref": format!("#/$defs/{name}") }] });
        default.into_iter().for_each(|default| all_of["default"] = default);
        of(all_of)
    };
    for (name, one, other) in [
        ("Colour", json!("red"), json!("green")),
        ("Level", json!(1), json!(2)),
        ("Free", json!({ "a": "b" }), json!({ "a": "c" })),
    ] {
        let (some, none) = (to(name, Some(one.clone())), to(name, None));
        let changed = format!("its default was `{one}`, and is `{other}`");
        told(&format!("{name}-changed"), &some, &to(name, Some(other)), 2, &changed);
        told(&format!("{name}-added"), &none, &some, 1, &format!("its default is `{one}`, and it had none"));
        told(&format!("{name}-removed"), &some, &none, 2, "and it has none");
        assert_eq!(diff(&format!("{name}-null"), &none, &to(name, Some(Value::Null))).0, 0, "it says nothing");
    }
    // With the type's own default, the field is not an `Option`. Without it, the field becomes one.
    told("own", &to("Free", Some(json!({}))), &to("Free", None), 2, "is now `Option<Free>`");
}

#[test]
fn values_of_a_list_of_integers_come_and_go() {
    let list = |values: Value| json!({ "Level": { "type": "integer", "enum": values } });
    told("value-added", &list(json!([1, 2])), &list(json!([1, 2, 3])), 1, "`3` on the wire");
    told("value-removed", &list(json!([1, 2, 3])), &list(json!([1, 2])), 2, "`3` on the wire");
    let small = json!({ "Level": { "type": "integer", "format": "int8", "enum": [1, 2] } });
    told("size", &small, &list(json!([1, 2])), 2, "a number of `i8` is now one of `i64`");
    let open = json!({ "Level": { "anyOf": [{ "const": 1 }, { "const": 2 }, { "type": "integer" }] } });
    assert_ne!(diff("opened", &list(json!([1, 2])), &open).0, 0);
    told("texts", &list(json!([1, 2])), &json!({ "Level": { "enum": ["a", "b"] } }), 2, "a list of texts");
}

#[test]
fn types_of_numbers_and_of_further_properties_are_compared() {
    let number = |schema: Value| json!({ "Ratio": schema });
    let list = json!({ "type": "array", "items": { "type": "number" } });
    told("numbers", &number(json!({ "type": "number" })), &number(list), 2, "Ratio");
    told("whole", &number(json!({ "type": "integer" })), &number(json!({ "type": "number" })), 2, "Ratio");
    let beside =
        |values: Value| json!({ "T": { "type": "object", "properties": { "a": {} }, "additionalProperties": values } });
    told("typed", &beside(json!({})), &beside(json!({ "type": "integer" })), 2, "T");
    assert_eq!(
        diff("closed", &beside(json!(false)), &json!({ "T": { "type": "object", "properties": { "a": {} } } })).0,
        0
    );
}

#[test]
fn a_field_that_begins_to_lead_back_has_another_type() {
    let filter = |branch: Value| {
        json!({
            "Filter": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/Not" }] },
            "Not": { "type": "object", "properties": { "not": branch }, "required": ["not"] }
        })
    };
    let (plain, back) = (filter(json!({ "type": "string" })), filter(json!({ "$ref": "#/$defs/Filter" })));
    told("back", &plain, &back, 2, "`Box<Filter>`");
}
