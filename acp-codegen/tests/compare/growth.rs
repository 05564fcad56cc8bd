//! A variant of an untagged union keeps its place, and accepts more values than before. Some of these values were read
//! as another variant. This is breaking.

use acp_codegen::diff::Verdict;
use serde_json::{Value, json};

use crate::compare::promises::{changes, compare, object, reference, tagged, text, union};

fn words(list: &[&str]) -> Value {
    json!({ "type": "string", "enum": list })
}

/// The union `U` of the definitions with these names, and all definitions.
fn of(branches: &[&str], definitions: &Value) -> Value {
    let branches: Vec<Value> = branches.iter().map(|name| reference(name)).collect();
    union(&branches, definitions)
}

/// Asserts the changes if the definition of `name` becomes `now`. A variant of `U` leads to this definition.
#[track_caller]
fn grows(test: &str, branches: &[&str], definitions: &Value, name: &str, now: &Value, expected: &[&str]) {
    let mut newer = definitions.clone();
    newer[name] = now.clone();
    let (old, new) = (of(branches, definitions), of(branches, &newer));
    changes(&format!("growth-{test}"), &old, &new, expected);
}

#[test]
fn a_list_of_words_that_gains_one_takes_it_from_the_text_behind_it() {
    let others = json!({ "E": words(&["a", "d"]), "S": text() });
    let now = words(&["a", "d", "b"]);
    grows("text", &["E", "S"], &others, "E", &now, &["E::B added: compatible", "U::E widened: breaking"]);
    // The text stands before the list and accepts every word, in both versions.
    grows("text-front", &["S", "E"], &others, "E", &now, &["E::B added: compatible"]);
    let detail = |change: &acp_codegen::diff::Change| (change.detail.clone(), change.why);
    let mut newer = others.clone();
    newer["E"] = now;
    let diff = compare("growth-detail", &of(&["E", "S"], &others), &of(&["E", "S"], &newer));
    let told = diff.changes.iter().find(|change| change.item == "U::E").map(detail);
    let why = "values that were read as the other variant are read as this one";
    assert_eq!(told, Some(("it takes values of `S` now".to_owned(), why)));
}

#[test]
fn a_list_of_words_that_gains_one_takes_it_from_the_list_behind_it_that_has_it() {
    let others = json!({ "E": words(&["a", "d"]), "F": words(&["b", "c"]) });
    let breaking = |test: &str, now: &[&str], expected: &[&str]| {
        grows(test, &["E", "F"], &others, "E", &words(now), expected);
    };
    breaking("words", &["a", "d", "b"], &["E::B added: compatible", "U::E widened: breaking"]);
    breaking("words-apart", &["a", "d", "x"], &["E::X added: compatible"]);
    // The second list gains a word of the first list. The first list still takes the word.
    grows("words-behind", &["E", "F"], &others, "F", &words(&["b", "c", "a"]), &["F::A added: compatible"]);
}

#[test]
fn a_list_of_numbers_that_gains_one_takes_it_from_the_integer_behind_it() {
    let list = |values: Value| json!({ "type": "integer", "enum": values });
    let others = json!({ "E": list(json!([1, 2])), "N": { "type": "integer" } });
    let expected = ["E::N3 added: compatible", "U::E widened: breaking"];
    let mut newer = others.clone();
    newer["E"] = list(json!([1, 2, 3]));
    let diff = compare("growth-numbers", &of(&["E", "N"], &others), &of(&["E", "N"], &newer));
    assert_eq!(diff.verdict(), Verdict::Breaking, "{expected:?}: {diff:?}");
    let diff = compare("growth-numbers-front", &of(&["N", "E"], &others), &of(&["N", "E"], &newer));
    assert_eq!(diff.verdict(), Verdict::Compatible, "{diff:?}");
}

#[test]
fn a_word_more_in_a_property_takes_objects_from_the_variant_behind_it() {
    let others = json!({
        "K": words(&["a", "d"]), "L": words(&["b", "c"]),
        "P": object(&json!({ "k": reference("K") }), &["k"]),
        "Q": object(&json!({ "k": text() }), &["k"]),
        "R": object(&json!({ "k": reference("L") }), &["k"]),
        "N": object(&json!({ "k": { "type": "integer" } }), &["k"]),
    });
    let now = words(&["a", "d", "b"]);
    let taken = ["K::B added: compatible", "U::P widened: breaking"];
    grows("property", &["P", "Q"], &others, "K", &now, &taken);
    grows("property-front", &["Q", "P"], &others, "K", &now, &taken[..1]);
    grows("property-words", &["P", "R"], &others, "K", &now, &taken);
    grows("property-words-apart", &["P", "R"], &others, "K", &words(&["a", "d", "x"]), &["K::X added: compatible"]);
    grows("property-kinds-apart", &["P", "N"], &others, "K", &now, &taken[..1]);
    // The same is true for a list of structs that the property contains.
    let mut deep = others.clone();
    deep["P"] = object(&json!({ "k": { "type": "array", "items": reference("Inner") } }), &["k"]);
    deep["Inner"] = object(&json!({ "k": reference("K") }), &[]);
    deep["Q"] = object(&json!({ "k": { "type": "array", "items": {} } }), &["k"]);
    grows("property-deep", &["P", "Q"], &deep, "K", &now, &taken);
}

#[test]
fn a_property_more_keeps_what_the_other_variant_was_read_for() {
    let others = json!({
        "P": object(&json!({ "a": text() }), &["a"]),
        "Q": object(&json!({ "a": text(), "b": text(), "c": text() }), &["a"]),
    });
    let more = |key: &str| object(&json!({ "a": text(), key: text() }), &["a"]);
    let taken = ["P.c added: compatible", "U::P widened: breaking"];
    grows("keeps", &["P", "Q"], &others, "P", &more("c"), &taken);
    // No variant described this property before. So `diff` judges values without it, as for any new field.
    grows("keeps-new", &["P", "Q"], &others, "P", &more("z"), &["P.z added: compatible"]);
    let others = json!({
        "P": object(&json!({ "a": text() }), &["a"]),
        "Q": object(&json!({ "a": text(), "b": text() }), &["a"]),
        "R": object(&json!({ "a": text(), "c": text() }), &["a"]),
    });
    let now = object(&json!({ "a": text(), "b": text(), "c": text() }), &["a"]);
    let taken = ["Q.c added: compatible", "U::Q widened: breaking"];
    grows("keeps-third", &["P", "Q", "R"], &others, "Q", &now, &taken);
    grows("keeps-behind", &["P", "R", "Q"], &others, "Q", &now, &taken);
}

#[test]
fn a_nested_union_that_gains_a_text_takes_it_from_the_text_behind_it() {
    let nested = |more: bool| {
        let mut branches =
            vec![json!({ "title": "Count", "type": "integer" }), json!({ "title": "Flag", "type": "boolean" })];
        branches.extend(more.then(|| json!({ "title": "Name", "type": "string" })));
        json!({ "anyOf": branches })
    };
    let others = json!({ "V": nested(false), "S": text(), "P": object(&json!({ "a": text() }), &["a"]) });
    let verdict = |test: &str, branches: &[&str]| {
        let mut newer = others.clone();
        newer["V"] = nested(true);
        let diff = compare(&format!("growth-{test}"), &of(branches, &others), &of(branches, &newer));
        diff.changes.iter().any(|change| change.item == "U::V" && change.verdict == Verdict::Breaking)
    };
    assert!(verdict("nested", &["V", "S"]));
    assert!(!verdict("nested-front", &["S", "V"]));
    assert!(!verdict("nested-apart", &["V", "P"]));
}

#[test]
fn a_draft_inside_a_variant_takes_nothing_that_was_promised() {
    let list = |more: bool| {
        let mut words = vec![json!({ "const": "a", "type": "string" }), json!({ "const": "d", "type": "string" })];
        let draft = "**UNSTABLE**\n\nNot part of the spec yet.";
        words.extend(more.then(|| json!({ "const": "b", "type": "string", "description": draft })));
        json!({ "oneOf": words })
    };
    let others = json!({ "E": list(false), "S": text() });
    grows("draft", &["E", "S"], &others, "E", &list(true), &["E::B added: compatible"]);
}

#[test]
fn a_tagged_union_that_gains_a_variant_takes_objects_that_describe_the_tag() {
    let kinds = |more: bool| {
        let mut branches = vec![tagged("kind", "p", "P"), tagged("kind", "q", "P")];
        branches.extend(more.then(|| tagged("kind", "r", "P")));
        json!({ "oneOf": branches })
    };
    let others = json!({
        "T": kinds(false), "P": object(&json!({ "a": text() }), &[]),
        "Q": object(&json!({ "kind": text() }), &["kind"]),
        "N": object(&json!({ "kind": { "type": "integer" } }), &["kind"]),
    });
    grows("tagged", &["T", "Q"], &others, "T", &kinds(true), &["T::R added: compatible", "U::T widened: breaking"]);
    grows("tagged-apart", &["T", "N"], &others, "T", &kinds(true), &["T::R added: compatible"]);
}

#[test]
fn a_rule_for_wrong_values_takes_those_that_the_other_variant_describes() {
    let of_rule = |rule: bool| {
        let mut note = json!({ "type": ["string", "null"] });
        if rule {
            note["x-deserialize-default-on-error"] = json!(true);
        }
        object(&json!({ "a": text(), "note": note }), &["a"])
    };
    let number = json!({ "type": ["integer", "null"] });
    let others = json!({
        "P": of_rule(false), "Q": object(&json!({ "a": text(), "note": number }), &["a"]),
        "R": object(&json!({ "a": text(), "b": text() }), &["a", "b"]),
    });
    let lenient = "P.note read more leniently: compatible";
    grows("rule", &["P", "Q"], &others, "P", &of_rule(true), &[lenient, "U::P widened: breaking"]);
    grows("rule-dropped", &["P", "R"], &others, "P", &of_rule(true), &[lenient]);
}

/// The comparison follows a type that leads back to itself only once.
#[test]
fn what_did_not_grow_takes_nothing_however_it_is_nested() {
    let others = json!({
        "P": object(&json!({ "next": { "anyOf": [reference("U"), { "type": "null" }] }, "k": reference("K") }), &["k"]),
        "Q": object(&json!({ "next": {}, "k": text() }), &["k"]),
        "K": words(&["a", "d"]),
    });
    let mut newer = others.clone();
    newer["Other"] = text();
    changes("growth-none", &of(&["P", "Q"], &others), &of(&["P", "Q"], &newer), &["Other added: compatible"]);
    let expected = ["K::B added: compatible", "U::P widened: breaking"];
    grows("circle", &["P", "Q"], &others, "K", &words(&["a", "d", "b"]), &expected);
}
