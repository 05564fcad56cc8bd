//! For every kind of change there is a small pair of schemas. The test checks the reported changes and their verdicts.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use acp_codegen::Builder;
use acp_codegen::diff::{self, Diff, Format, Surface, Verdict};
use serde_json::{Value, json};

fn surface(name: &str, definitions: &Value) -> Surface {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.json"));
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
fn values() {
    changes("value-added", words(&["a", "b"]), words(&["a", "b", "c"]), &["T::C added: compatible"]);
    // A list with one value has a default, and loses it with a second value.
    let no_default = ["T::B added: compatible", "T lost: breaking"];
    changes("second-value", words(&["a"]), words(&["a", "b"]), &no_default);
    changes("value-removed", words(&["a", "b"]), words(&["a"]), &["T::B removed: breaking"]);
    let mut open = words(&["a"]);
    open["T"]["oneOf"].as_array_mut().expect("a list").push(json!({ "type": "string", "title": "other" }));
    changes("opened", words(&["a"]), open.clone(), &["T opened for unknown values: breaking"]);
    changes("closed", open, words(&["a"]), &["T closed to unknown values: breaking"]);
}

#[test]
fn variants() {
    let union = |tags: &[&str], payload: &str| {
        let branch = |tag: &&str| {
            let tag = json!({ "type": "object", "properties": { "kind": { "type": "string", "const": tag } }, "required": ["kind"] });
            let mut branch = tag;
            branch["allOf"] = json!([{ "$ref": format!("#/$defs/{payload}") }]);
            branch
        };
        let branches: Vec<Value> = tags.iter().map(branch).collect();
        let structure = json!({ "type": "object", "properties": { "x": { "type": "string" } } });
        json!({ "U": { "oneOf": branches }, "P": structure, "Q": structure })
    };
    // If two variants hold the same type, a conversion into the union has no clear variant.
    let no_from = ["U::B added: compatible", "U lost: breaking"];
    changes("variant-added", union(&["a"], "P"), union(&["a", "b"], "P"), &no_from);
    changes("third-variant", union(&["a", "b"], "P"), union(&["a", "b", "c"], "P"), &["U::C added: compatible"]);
    changes("variant-removed", union(&["a", "b"], "P"), union(&["a"], "P"), &["U::B removed: breaking"]);
    changes("variant-changed", union(&["a"], "P"), union(&["a"], "Q"), &["U::A changed: breaking"]);
}

#[test]
fn methods() {
    let types = ["OpenRequest added: compatible", "OpenResponse added: compatible"];
    let expected = ["door/open added: compatible", types[0], types[1]];
    let open = method("door/open", "Open", "Opens.");
    let other = json!({ "T": { "type": "string" } });
    let mut both = other.clone();
    both.as_object_mut().expect("an object").extend(open.as_object().expect("an object").clone());
    changes("method-added", other.clone(), both.clone(), &expected);
    let removed = ["door/open removed: breaking", "OpenRequest removed: breaking", "OpenResponse removed: breaking"];
    changes("method-removed", both, other, &removed);
    let renamed = method("door/open", "Unlock", "Opens.");
    let diff = compare("method-renamed", &open, &renamed);
    let details: Vec<&str> = diff.changes.iter().take(3).map(|change| change.detail.as_str()).collect();
    let expected = [
        "handler: `open` is now `unlock`",
        "params: `OpenRequest` is now `UnlockRequest`",
        "response: `OpenResponse` is now `UnlockResponse`",
    ];
    assert_eq!(details, expected);
}

#[test]
fn drafts() {
    let (draft, stable) = (method("door/open", "Open", DRAFT), method("door/open", "Open", "Opens."));
    let all = |what: &str| [format!("door/open {what}"), format!("OpenRequest {what}"), format!("OpenResponse {what}")];
    let (stabilised, withdrawn) = (all("stabilised: compatible"), all("made a draft: breaking"));
    changes("stabilised", draft.clone(), stable.clone(), &stabilised.each_ref().map(String::as_str));
    changes("withdrawn", stable.clone(), draft.clone(), &withdrawn.each_ref().map(String::as_str));
    // Drafts are no promise, so the removal of a draft's part breaks nothing.
    let other = json!({ "T": { "type": "string" } });
    let mut both = other.clone();
    both.as_object_mut().expect("an object").extend(draft.as_object().expect("an object").clone());
    assert_eq!(compare("draft-removed", &both, &other).verdict(), Verdict::Compatible);
    // If the older schema with drafts stands beside the older stable schema, `diff` knows that the method was a draft.
    let (old, new) = (
        surface("beside-old", &other),
        surface("beside-new", &{
            let mut both = other.clone();
            both.as_object_mut().expect("an object").extend(stable.as_object().expect("an object").clone());
            both
        }),
    );
    let diff = diff::compare(&old, &new, Some(&surface("beside-drafts", &both)));
    assert!(diff.changes.iter().all(|change| change.what == diff::ChangeKind::Stabilised), "{diff:?}");
}

#[test]
fn what_is_touched() {
    let mut old = method("door/open", "Open", "Opens.");
    old["OpenRequest"]["properties"] = json!({ "how": { "$ref": "#/$defs/How" } });
    old["How"] = json!({ "type": "object", "properties": { "fast": { "type": "boolean" } } });
    let mut new = old.clone();
    new["How"]["required"] = json!(["fast"]);
    let diff = compare("touched", &old, &new);
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert_eq!(change.items, ["How", "How::new"]);
    assert_eq!(change.handlers.iter().map(String::as_str).collect::<Vec<_>>(), ["open"]);
    // An agent has no handler for a method of the client.
    for schema in [&mut old, &mut new] {
        for name in ["OpenRequest", "OpenResponse"] {
            schema[name]["x-side"] = json!("client");
        }
    }
    let diff = compare("touched-client", &old, &new);
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert!(change.handlers.is_empty(), "{change:?}");
    let removed = compare("removed-client", &old, &json!({ "How": old["How"] }));
    let method = removed.changes.iter().find(|change| change.item == "door/open").expect("the method is gone");
    assert_eq!(method.why, "code that names its marker or its types no longer compiles");
}

#[test]
fn reports_tell_together_what_belongs_together() {
    let old =
        json!({ "T": { "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } } } });
    let mut new = method("door/open", "Open", DRAFT);
    new["T"] = json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } });
    let markdown = compare("together", &old, &new).report(Format::Markdown, "1", "2");
    let fields = "- 2 fields changed: `Option<String>` is now `Option<i64>`: `T.a`, `T.b`";
    assert!(markdown.contains(fields), "{markdown}");
    let method = "- Method `door/open` added: a request to the agent, with `OpenRequest`, answered by `OpenResponse`\n";
    assert!(markdown.ends_with(method), "the types of a method are told with it: {markdown}");
}

#[test]
fn reports() {
    let old = field(json!({ "type": "string" }), true);
    let new = field(json!({ "type": "integer" }), true);
    let diff = compare("reports", &old, &new);
    let markdown = diff.report(Format::Markdown, "1", "2");
    assert!(
        markdown.contains(
            "- Field `T.a` changed: `String` is now `i64` (its type, its name or its form in JSON changes)\n"
        ),
        "{markdown}"
    );
    assert!(markdown.contains("Breaking: a major step (1 breaking, 0 compatible, 0 in drafts)."), "{markdown}");
    let json: Value = serde_json::from_str(&diff.report(Format::Json, "1", "2")).expect("it is JSON");
    assert_eq!(json["verdict"], "breaking");
    assert_eq!(json["changes"][0]["item"], "T.a");
    let text = diff.report(Format::Text, "1", "2");
    assert!(text.contains("\u{1b}["), "a terminal gets colours");
}

/// A definition with references to all of these definitions.
fn referring(docs: &str, to: &[&str]) -> Value {
    let property = |name: &&str| (format!("to_{name}"), json!({ "$ref": format!("#/$defs/{name}") }));
    let properties: serde_json::Map<String, Value> = to.iter().map(property).collect();
    json!({ "type": "object", "description": docs, "properties": properties })
}

#[test]
fn what_only_drafts_use() {
    let with = |name: &str, definition: Value, to: &[&str]| {
        let mut schema = method("door/open", "Open", "Opens.");
        schema["OpenRequest"]["properties"] = json!({
            "now": { "$ref": "#/$defs/Shared" }, "soon": { "$ref": "#/$defs/Draft", "description": DRAFT },
        });
        schema["Shared"] = json!({ "type": "string" });
        schema["Draft"] = referring("Unmarked itself.", to);
        schema["Behind"] = definition;
        schema["Alone"] = referring("Nobody uses it.", &[]);
        surface(name, &schema)
    };
    let drafts = |surface: &Surface| -> Vec<String> {
        surface.types.iter().filter(|(_, ty)| ty.draft).map(|(name, _)| name.clone()).collect()
    };
    let text = || json!({ "type": "string" });
    assert_eq!(drafts(&with("used", text(), &["Behind", "Shared"])), ["Behind", "Draft"]);
    let circular = with("circle", referring("", &["Draft"]), &["Behind", "Shared"]);
    assert_eq!(drafts(&circular), ["Behind", "Draft"]);
    // Only the list of payloads in a message marks a draft.
    let mut schema = method("door/open", "Open", "Opens.");
    let member = json!({ "title": "OpenRequest", "description": DRAFT, "allOf": [{ "$ref": "#/$defs/OpenRequest" }] });
    schema["ClientRequest"] = json!({
        "type": "object", "x-docs-ignore": true,
        "properties": {
            "id": { "$ref": "#/$defs/RequestId" }, "method": { "type": "string" },
            "params": { "anyOf": [{ "anyOf": [member] }, { "type": "null" }] },
        },
    });
    schema["RequestId"] = text();
    schema["OpenRequest"]["properties"] = json!({ "which": { "$ref": "#/$defs/RequestId" } });
    let listed = surface("listed", &schema);
    assert!(listed.methods.iter().all(|method| method.draft), "{listed:?}");
    assert_eq!(drafts(&listed), ["OpenRequest", "OpenResponse"], "every message has an id");
    assert_eq!(listed.methods[0].messages, ["ClientRequest::OpenRequest"]);
}

#[test]
fn marks_of_values() {
    let codes = |mark: &str| {
        let code = |code: i64, text: &str| json!({ "const": code, "title": text, "description": format!("**{text}**: {mark}"), "type": "integer", "format": "int32" });
        let other = json!({ "title": "Other", "type": "integer", "format": "int32" });
        json!({ "ErrorCode": { "anyOf": [code(-1, "Gone"), other] } })
    };
    changes("code-stabilised", codes(DRAFT), codes("No more."), &["ErrorCode::Gone stabilised: compatible"]);
}

#[test]
fn branches_without_a_tag() {
    let by_shape =
        |title: &str, payload: &str| json!({ "title": title, "allOf": [{ "$ref": format!("#/$defs/{payload}") }] });
    let union = |branches: &[Value]| {
        let structure = json!({ "type": "object", "properties": { "x": { "type": "string" } }, "required": ["x"] });
        json!({ "U": { "anyOf": branches }, "P": structure, "Q": structure, "R": structure })
    };
    let old = || union(&[by_shape("One", "P"), by_shape("Two", "Q")]);
    changes("title", old(), union(&[by_shape("one", "P"), by_shape("two", "Q")]), &[]);
    changes(
        "renamed",
        old(),
        union(&[by_shape("One", "P"), by_shape("Second", "Q")]),
        &["U::Second changed: breaking"],
    );
    changes(
        "replaced",
        old(),
        union(&[by_shape("One", "P"), by_shape("Third", "R")]),
        &["U::Third added: compatible", "U::Two removed: breaking"],
    );
    let tagged = json!({
        "type": "object", "properties": { "kind": { "type": "string", "const": "two" } }, "required": ["kind"],
        "allOf": [{ "$ref": "#/$defs/Q" }],
    });
    changes("tagged", old(), union(&[tagged, by_shape("One", "P")]), &["U::Two changed: breaking"]);
}

#[test]
fn fields_inside_a_variant() {
    let union = |inside: Value| {
        let mut properties = json!({ "kind": { "type": "string", "const": "wide" } });
        properties.as_object_mut().expect("an object").extend(inside.as_object().expect("an object").clone());
        let branch = json!({ "type": "object", "properties": properties, "required": ["kind"] });
        json!({ "Door": { "oneOf": [branch] } })
    };
    let text = || json!({ "type": "string" });
    changes(
        "inside",
        union(json!({ "x": text() })),
        union(json!({ "x": text(), "y": text() })),
        &["Door::Wide.y added: breaking"],
    );
    let other = json!({ "T": { "type": "string" } });
    let mut both = other.clone();
    both["Door"] = union(json!({ "x": text() }))["Door"].clone();
    changes("inside-added", other, both, &["Door added: compatible"]);
}

#[test]
fn unions_that_keep_what_is_unknown() {
    let branch = || json!({ "type": "object", "properties": { "kind": { "type": "string", "const": "a" } }, "required": ["kind"] });
    let other = json!({
        "title": "other", "type": "object", "properties": { "kind": { "type": "string" } }, "required": ["kind"],
        "not": { "anyOf": [{ "properties": { "kind": { "const": "a" } } }] },
    });
    let (closed, open) = (json!({ "U": { "oneOf": [branch()] } }), json!({ "U": { "anyOf": [branch(), other] } }));
    changes("union-opened", closed.clone(), open.clone(), &["U::Other added: compatible"]);
    changes("union-closed", open, closed, &["U::Other removed: breaking"]);
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

/// The schemas of this workspace exist with and without drafts. The difference shows exactly the drafts.
#[test]
fn drafts_are_found_without_the_stable_schema() {
    for version in ["v1", "v2"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
        let read = |name: &str| {
            let builder = Builder::new().schema(folder.join(name)).overlay(folder.join("overlay.json"));
            Surface::read(&builder).unwrap_or_else(|error| panic!("{error}"))
        };
        let (stable, all) = (read("schema.json"), read("schema.unstable.json"));
        let types = all.types.iter().filter(|(name, ty)| ty.draft == stable.types.contains_key(*name));
        let types: Vec<&String> = types.map(|(name, _)| name).collect();
        assert!(types.is_empty(), "{version}: stable and a draft, or neither: {types:?}");
        let key = |method: &diff::Method| (method.wire.clone(), method.side, method.kind);
        let known: Vec<_> = stable.methods.iter().map(key).collect();
        let methods = all.methods.iter().filter(|method| method.draft == known.contains(&key(method)));
        let methods: Vec<_> = methods.map(key).collect();
        assert!(methods.is_empty(), "{version}: stable and a draft, or neither: {methods:?}");
    }
}
