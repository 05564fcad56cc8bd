//! Types, fields, and their defaults.

use acp_codegen::diff::{self, Format};
use serde_json::{Value, json};

use super::{changes, compare, field, object};

#[test]
fn types() {
    let (one, two) =
        (json!({ "A": { "type": "string" } }), json!({ "A": { "type": "string" }, "B": { "type": "string" } }));
    changes("type-added", one.clone(), two.clone(), &["B added: compatible"]);
    changes("type-removed", two, one.clone(), &["B removed: breaking"]);
    let structure = json!({ "A": { "type": "object", "properties": {} } });
    changes("type-changed", one, structure, &["A changed: breaking"]);
    let number = |format: &str| json!({ "A": { "type": "integer", "format": format } });
    changes("type-widened", number("uint8"), number("uint16"), &["A widened: breaking"]);
}

#[test]
fn fields() {
    let text = || json!({ "type": "string" });
    let none = || object(json!({}), &[]);
    changes("field-added", none(), field(text(), false), &["T.a added: compatible"]);
    changes("field-added-required", none(), field(text(), true), &["T.a added: breaking"]);
    changes("field-removed", field(text(), false), none(), &["T.a removed: breaking"]);
    changes("field-required", field(text(), false), field(text(), true), &["T.a made required: breaking"]);
    changes("field-optional", field(text(), true), field(text(), false), &["T.a made optional: breaking"]);
    let nullable = json!({ "type": ["string", "null"] });
    changes("field-nullable", field(text(), true), field(nullable.clone(), true), &["T.a made optional: breaking"]);
    changes(
        "field-nullable-optional",
        field(nullable.clone(), true),
        field(nullable, false),
        &["T.a made optional: breaking"],
    );
    let defaulted = json!({ "type": "string", "default": "" });
    changes("field-defaulted", field(text(), false), field(defaulted, false), &["T.a changed: breaking"]);
}

/// The detail and the verdict of a change, which must be the only one and concern a property `a`.
#[track_caller]
fn only_change(name: &str, old: &Value, new: &Value) -> String {
    let diff = compare(name, old, new);
    let [change] = diff.changes.as_slice() else { panic!("{}", diff.report(Format::Text, "old", "new")) };
    assert!(change.item.ends_with(".a") && change.what == diff::ChangeKind::Changed, "{change:?}");
    format!("{}: {}", change.detail, change.verdict.word())
}

/// The cases have no boolean property, because only one default of a boolean differs from Rust's.
#[test]
fn another_default_is_told_whatever_kind_it_is_of() {
    let cases = [
        ("text", json!({ "type": "string" }), json!("a"), json!("b")),
        ("integer", json!({ "type": "integer" }), json!(3), json!(4)),
        ("number", json!({ "type": "number" }), json!(0.5), json!(0.25)),
        ("list", json!({ "type": "string", "enum": ["a", "b"] }), json!("a"), json!("b")),
        ("nullable", json!({ "type": ["string", "null"] }), json!(""), json!("a")),
        ("nullable-list", json!({ "type": ["array", "null"], "items": {} }), json!([]), json!([1])),
    ];
    for (name, kind, first, second) in cases {
        let of = |default: Option<&Value>| {
            let mut kind = kind.clone();
            default.into_iter().for_each(|default| kind["default"] = default.clone());
            json!({ "Door": { "type": "object", "properties": { "a": kind } } })
        };
        let told =
            |which: &str, before, after| only_change(&format!("default-{name}-{which}"), &of(before), &of(after));
        let (some, other) = (Some(&first), Some(&second));
        assert_eq!(told("changed", some, other), format!("its default was `{first}`, and is `{second}`: breaking"));
        assert_eq!(told("added", None, some), format!("its default is `{first}`, and it had none: compatible"));
        assert_eq!(told("removed", some, None), format!("its default was `{first}`, and it has none: breaking"));
    }
}

#[test]
fn a_default_that_is_no_other_value_is_the_same() {
    let of = |default: Value| field(json!({ "type": "number", "default": default }), false);
    changes("default-written", of(json!(5)), of(json!(5.0)), &[]);
    // A required property is never absent.
    let of = |default: &str| field(json!({ "type": "string", "default": default }), true);
    changes("default-required", of("a"), of("b"), &[]);
}

#[test]
fn a_type_that_changes_with_the_default_is_told_with_both() {
    let of = |kind: &str, default: Value| field(json!({ "type": kind, "default": default }), false);
    assert_eq!(
        only_change("default-boolean", &of("boolean", json!(false)), &of("boolean", json!(true))),
        "`bool`, with the default `false` is now `Option<bool>`, optional with the default `true`: breaking"
    );
    assert_eq!(
        only_change("default-text", &of("string", json!("a")), &of("string", json!(""))),
        "`Option<String>`, optional with the default `\"a\"` is now `String`, with the default `\"\"`: breaking"
    );
}

#[test]
fn another_name_for_the_same_type() {
    // A list of shapes accepts any value if it has a branch for any value.
    let with = |data: Value| {
        let mut schema = object(json!({ "data": data }), &[]);
        schema["P"] = json!({ "type": "object", "properties": {} });
        schema["Anything"] =
            json!({ "anyOf": [{ "title": "P", "allOf": [{ "$ref": "#/$defs/P" }] }, { "title": "Other" }] });
        schema
    };
    let named = json!({ "anyOf": [{ "$ref": "#/$defs/Anything" }, { "type": "null" }] });
    changes("alias", with(json!({})), with(named), &[]);
}

#[test]
fn types_of_fields() {
    let number = |format: &str| field(json!({ "type": "integer", "format": format }), true);
    changes("widened", number("uint16"), number("int64"), &["T.a widened: breaking"]);
    changes("narrowed", number("int64"), number("uint32"), &["T.a narrowed: breaking"]);
    changes("neither", number("int32"), number("uint32"), &["T.a changed: breaking"]);
    let list = |items: Value| field(json!({ "type": "array", "items": items }), true);
    changes("items", list(json!({ "type": "string" })), list(json!({})), &["T.a widened: breaking"]);
    // Generated code checks a bound only if the schema says how to read values outside of it.
    let bounded = |least: i64| field(json!({ "type": "integer", "format": "uint32", "minimum": least }), true);
    changes("bounded", bounded(0), bounded(5), &[]);
    let lenient = |least: i64| {
        let kind = json!(["integer", "null"]);
        field(
            json!({ "type": kind, "format": "uint32", "minimum": least, "x-deserialize-default-on-error": true }),
            false,
        )
    };
    changes("bounded-lenient", lenient(0), lenient(1), &["T.a read more strictly: breaking"]);
}

#[test]
fn reading_of_fields() {
    let strict = || field(json!({ "type": ["string", "null"] }), false);
    let lenient = || field(json!({ "type": ["string", "null"], "x-deserialize-default-on-error": true }), false);
    changes("lenient", strict(), lenient(), &["T.a read more leniently: compatible"]);
    changes("strict", lenient(), strict(), &["T.a read more strictly: breaking"]);
}

#[test]
fn a_field_that_became_a_union() {
    let old = object(json!({ "reason": { "type": ["string", "null"] }, "x": { "type": "string" } }), &[]);
    let ended = |reason: &str| json!({ "type": "object", "properties": { "reason": { "type": "string", "const": reason } }, "required": ["reason"] });
    let mut new = object(json!({ "reason": { "type": ["string", "null"] }, "x": { "type": "string" } }), &[]);
    new["T"]["anyOf"] =
        json!([ended("a"), ended("b"), { "type": "object", "properties": { "reason": { "type": "null" } } }]);
    let diff = compare("became", &old, &new);
    let changed = diff.changes.iter().find(|change| change.item == "T.kind").expect("the field is there");
    assert_eq!(changed.detail, "`Option<String>` is now `Option<TKind>`");
    assert!(!diff.changes.iter().any(|change| change.what == diff::ChangeKind::Removed), "{diff:?}");
}

#[test]
fn reasons_of_presence() {
    let why = |name: &str, old: Value, new: Value| {
        let diff = compare(name, &old, &new);
        diff.changes.first().map(|change| change.why).unwrap_or_default()
    };
    let (text, nullable) = (|| json!({ "type": "string" }), || json!({ "type": ["string", "null"] }));
    assert_eq!(why("why-nullable", field(text(), true), field(nullable(), true)), "its type becomes an `Option`");
    assert_eq!(why("why-optional", field(nullable(), true), field(nullable(), false)), "`new` no longer takes it");
    assert_eq!(
        why("why-both", field(text(), true), field(nullable(), false)),
        "its type changes, and `new` no longer takes it"
    );
}
