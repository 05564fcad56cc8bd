//! Values and variants: choices between words or shapes.

use serde_json::{Value, json};

use super::{DRAFT, changes, words};

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
