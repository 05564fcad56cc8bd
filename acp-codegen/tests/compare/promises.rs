//! If a change breaks code or changes the meaning of JSON, `diff` never reports "the same". There is a small case for
//! each such change.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use acp_codegen::Builder;
use acp_codegen::diff::{self, Diff, Format, Surface, Verdict};
use serde_json::{Value, json};

fn surface(name: &str, definitions: &Value, overlay: &Value) -> Surface {
    let write = |name: String, value: &Value| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, value.to_string()).expect("the directory is writable");
        path
    };
    let schema = write(format!("promise-{name}.json"), &json!({ "$defs": definitions }));
    let overlay = write(format!("promise-{name}.overlay.json"), overlay);
    Surface::read(&Builder::new().schema(schema).overlay(overlay)).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn compare(name: &str, old: &Value, new: &Value) -> Diff {
    let read = |which: &str, schema: &Value| surface(&format!("{name}-{which}"), schema, &json!({}));
    diff::compare(&read("old", old), &read("new", new), None)
}

/// Asserts that `diff` finds these changes, written as `item words: verdict`, and no others.
#[track_caller]
pub(crate) fn changes(name: &str, old: &Value, new: &Value, expected: &[&str]) {
    let diff = compare(name, old, new);
    let found: Vec<String> = diff
        .changes
        .iter()
        .map(|change| format!("{} {}: {}", change.item, change.what.words(), change.verdict.word()))
        .collect();
    assert_eq!(found, expected, "{}", diff.report(Format::Markdown, "old", "new"));
}

pub(crate) fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A definition `U` with these branches, and other definitions.
pub(crate) fn union(branches: &[Value], others: &Value) -> Value {
    let mut out = others.clone();
    out["U"] = json!({ "anyOf": branches });
    out
}

fn shape(title: &str, payload: Value) -> Value {
    let mut branch = payload;
    if branch.get("$ref").is_some() {
        branch = json!({ "allOf": [branch] });
    }
    branch["title"] = json!(title);
    branch
}

pub(crate) fn tagged(key: &str, word: &str, payload: &str) -> Value {
    json!({
        "type": "object", "properties": { key: { "type": "string", "const": word } }, "required": [key],
        "allOf": [reference(payload)],
    })
}

#[test]
fn arguments_that_change_places_are_breaking() {
    let of = |properties: &Value| json!({ "T": object(properties, &["a", "b"]) });
    let (old, new) = (json!({ "a": text(), "b": text() }), json!({ "b": text(), "a": text() }));
    changes("arguments", &of(&old), &of(&new), &["T reordered: compatible", "T::new changed: breaking"]);
    // The verdict is the same if a further field, with its own change, stands before them.
    let more = json!({ "c": { "type": "integer" }, "b": text(), "a": text() });
    let expected = ["T.c added: compatible", "T reordered: compatible", "T::new changed: breaking"];
    changes("arguments-more", &of(&old), &of(&more), &expected);
    // A further required field before the other fields is a new argument. The other fields do not change places.
    let third = json!({ "T": object(&json!({ "c": text(), "a": text(), "b": text() }), &["a", "b", "c"]) });
    changes("arguments-third", &of(&old), &third, &["T.c added: breaking"]);
}

/// The order of fields matters where they are written, and where they are read from a list of values. Objects are read
/// as before.
#[test]
fn fields_that_change_places_are_compatible_and_told() {
    let of = |properties: &Value| json!({ "T": object(properties, &[]) });
    let (old, new) = (json!({ "a": text(), "b": text() }), json!({ "b": text(), "a": text() }));
    let reordered = &["T reordered: compatible"];
    changes("fields", &of(&old), &of(&new), reordered);
    let detail = |old: &Value, new: &Value| compare("fields-detail", old, new).changes[0].detail.clone();
    assert_eq!(
        detail(&of(&old), &of(&new)),
        "the field `b` stands before `a` now, where it is written and in a list of values that is read"
    );
    // Only fields that exist before and after count.
    changes(
        "fields-between",
        &of(&old),
        &of(&json!({ "a": text(), "c": text(), "b": text() })),
        &["T.c added: compatible"],
    );
    let more = json!({ "b": text(), "c": text(), "a": text() });
    changes("fields-more", &of(&old), &of(&more), &["T.c added: compatible", reordered[0]]);
    // A struct with a field for all other keys cannot be read from a list.
    let open = |properties: &Value| {
        let mut schema = of(properties);
        schema["T"]["additionalProperties"] = json!(true);
        schema
    };
    changes("fields-open", &open(&old), &open(&new), reordered);
    assert_eq!(detail(&open(&old), &open(&new)), "the field `b` stands before `a` now, where it is written");
    // The same is true for the fields of a variant.
    let inline = |properties: &Value| {
        let mut branch = object(properties, &["kind"]);
        branch["properties"]["kind"] = json!({ "type": "string", "const": "wide" });
        json!({ "Door": { "oneOf": [branch] } })
    };
    changes("fields-inline", &inline(&old), &inline(&new), &["Door::Wide reordered: compatible"]);
}

#[test]
fn a_draft_that_changes_places_with_a_field_is_told_as_one() {
    let draft = || json!({ "type": "string", "description": "**UNSTABLE**\n\nNot part of the spec yet." });
    let of = |properties: &Value| json!({ "T": object(properties, &[]) });
    let (old, new) = (json!({ "a": draft(), "b": text() }), json!({ "b": text(), "a": draft() }));
    let diff = compare("fields-draft", &of(&old), &of(&new));
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert!(change.draft && change.what == diff::ChangeKind::Reordered, "{change:?}");
    let (old, new) =
        (json!({ "a": draft(), "b": text(), "c": text() }), json!({ "c": text(), "b": text(), "a": draft() }));
    let diff = compare("fields-beside-draft", &of(&old), &of(&new));
    let [change] = diff.changes.as_slice() else { panic!("{diff:?}") };
    assert!(!change.draft && change.detail.starts_with("the field `c` stands before `b` now"), "{change:?}");
}

#[test]
fn a_field_for_all_other_keys_comes_and_goes() {
    let closed = json!({ "T": object(&json!({ "a": text() }), &["a"]) });
    let mut open = closed.clone();
    open["T"]["additionalProperties"] = json!(true);
    changes("rest-added", &closed, &open, &["T.extra added: compatible"]);
    changes("rest-removed", &open, &closed, &["T.extra removed: breaking"]);
    // With this field, the params of a method are no longer read from `null`.
    let method = |open: bool| {
        let mut payload =
            json!({ "type": "object", "x-method": "door/open", "x-side": "agent", "properties": { "a": text() } });
        if open {
            payload["additionalProperties"] = json!(true);
        }
        json!({ "OpenRequest": payload, "OpenResponse": { "type": "object", "x-method": "door/open", "x-side": "agent" } })
    };
    let null = compare("rest-null", &method(false), &method(true));
    assert_eq!(null.verdict(), Verdict::Breaking, "{null:?}");
}

#[test]
fn another_key_that_tells_variants_apart_is_breaking() {
    let others = json!({ "P": object(&json!({ "x": text() }), &[]), "Q": object(&json!({ "y": text() }), &[]) });
    let of = |key: &str| union(&[tagged(key, "p", "P"), tagged(key, "q", "Q")], &others);
    changes("tag", &of("kind"), &of("type"), &["U changed: breaking"]);
}

#[test]
fn the_order_of_shapes_that_overlap_is_what_they_mean() {
    let others = json!({
        "Point": object(&json!({ "x": text() }), &["x"]),
        "Place": object(&json!({ "x": text(), "y": text() }), &["x"]),
        "Number": object(&json!({ "x": { "type": "integer" } }), &["x"]),
        "Red": { "oneOf": [{ "const": "red" }, { "const": "rose" }] },
        "Blue": { "oneOf": [{ "const": "blue" }, { "const": "azure" }] },
        "Rosy": { "oneOf": [{ "const": "rose" }, { "const": "pink" }] },
        "Pink": { "oneOf": [{ "const": "pink" }, { "const": "salmon" }] },
    });
    let of = |branches: [&str; 2]| union(&branches.map(|name| shape(name, reference(name))), &others);
    let swapped = |name: &str, one: &str, other: &str, expected: &[&str]| {
        changes(name, &of([one, other]), &of([other, one]), expected);
    };
    swapped("order", "Point", "Place", &["U::Place reordered: breaking"]);
    // The verdict is the same if the first variant that it overtakes is a draft.
    let drafted = |order: [&str; 3]| {
        let mut out = union(&order.map(|name| shape(name, reference(name))), &others);
        for branch in out["U"]["anyOf"].as_array_mut().expect("a list").iter_mut().filter(|b| b["title"] == "Red") {
            branch["description"] = json!("**UNSTABLE**\n\nNot part of the spec yet.");
        }
        out["Held"] =
            object(&json!({ "red": reference("Red"), "rosy": reference("Rosy"), "pink": reference("Pink") }), &[]);
        out
    };
    let (old, new) = (drafted(["Red", "Pink", "Rosy"]), drafted(["Rosy", "Red", "Pink"]));
    changes("order-draft", &old, &new, &["U::Rosy reordered: breaking"]);
    swapped("order-words", "Red", "Rosy", &["U::Rosy reordered: breaking"]);
    // If no value fits both variants, their order does not matter.
    swapped("order-apart", "Point", "Number", &[]);
    swapped("order-apart-words", "Red", "Blue", &[]);
    swapped("order-apart-kinds", "Red", "Point", &[]);
    // With a rule for wrong values, a value of the wrong type becomes the default, so it fits both variants.
    let mut lenient = others.clone();
    lenient["Number"]["properties"]["x"]["x-deserialize-default-on-error"] = json!(true);
    let of = |branches: [&str; 2]| union(&branches.map(|name| shape(name, reference(name))), &lenient);
    changes("order-lenient", &of(["Point", "Number"]), &of(["Number", "Point"]), &["U::Number reordered: breaking"]);
}

#[test]
fn a_variant_in_front_of_one_that_it_overlaps_takes_its_values() {
    let others = json!({
        "Point": object(&json!({ "x": text() }), &["x"]),
        "Place": object(&json!({ "x": text(), "y": text() }), &["x"]),
    });
    let (point, place) = (shape("Point", reference("Point")), shape("Place", reference("Place")));
    let list = shape("List", json!({ "type": "array", "items": text() }));
    let of = |branches: &[Value]| union(branches, &others);
    let alone = of(std::slice::from_ref(&point));
    changes("front", &alone, &of(&[place.clone(), point.clone()]), &["U::Place added: breaking"]);
    // A value that is meant for the second variant also fits the first. So the variant that keeps most of the value is
    // read.
    let behind = &of(&[point.clone(), place.clone()]);
    changes("behind", &alone, behind, &["U::Place added: breaking"]);
    let detail = |old: &Value, new: &Value| compare("behind-detail", old, new).changes[0].detail.clone();
    assert_eq!(
        detail(&alone, behind),
        "told by its shape, and read in place of `Point` where it keeps more of a value"
    );
    changes("front-apart", &alone, &of(&[list, point.clone()]), &["U::List added: compatible"]);
    // For a variant without a field of this name, a tag is an ordinary unknown key. A variant that has the field still
    // reads the tag's value.
    let unions = |shape: &Value, more: bool| {
        let mut branches = vec![tagged("kind", "p", "Place")];
        branches.extend(more.then(|| tagged("kind", "list", "List")));
        branches.push(shape.clone());
        let mut others = others.clone();
        others["List"] = object(&json!({ "items": { "type": "array", "items": text() } }), &["items"]);
        others["Any"] = object(&json!({ "kind": text(), "z": text() }), &["z"]);
        union(&branches, &others)
    };
    let any = shape("Any", reference("Any"));
    changes("tag-unnamed", &unions(&point, false), &unions(&point, true), &["U::List added: compatible"]);
    changes("tag-named", &unions(&any, false), &unions(&any, true), &["U::List added: breaking"]);
}

#[test]
fn a_variant_behind_one_that_keeps_as_much_takes_nothing() {
    let others = json!({
        "Place": object(&json!({ "x": text(), "y": text() }), &["x"]),
        "Spot": object(&json!({ "y": text(), "x": text() }), &["x"]),
        "Point": object(&json!({ "x": text() }), &["x"]),
        "Typed": object(&json!({ "x": { "type": "array", "items": text() } }), &[]),
        "Loose": object(&json!({ "x": {} }), &[]),
        "Free": object(&json!({ "x": text() }), &["x"]),
        "Listed": object(&json!({ "x": { "type": "string", "enum": ["a", "b"] } }), &["x"]),
    });
    let of = |names: &[&str]| {
        let branches: Vec<Value> = names.iter().map(|name| shape(name, reference(name))).collect();
        union(&branches, &others)
    };
    let added = |old: &str, new: &str, verdict: &str| {
        changes(
            &format!("behind-{old}-{new}"),
            &of(&[old]),
            &of(&[old, new]),
            &[&format!("U::{new} added: {verdict}")],
        );
    };
    added("Place", "Spot", "compatible");
    added("Place", "Point", "compatible");
    added("Point", "Spot", "breaking");
    added("Free", "Listed", "compatible");
    // Both variants keep the same key, but they keep different values of it.
    added("Typed", "Loose", "breaking");
}

/// If no value of a later variant fits the first variant, the first variant that fits is read.
#[test]
fn a_variant_behind_one_that_it_overlaps_takes_nothing_where_the_first_is_read() {
    let others = json!({
        "Point": object(&json!({ "x": text() }), &["x"]),
        "Size": object(&json!({ "y": text() }), &["y"]),
        "Place": object(&json!({ "x": text(), "y": text() }), &["x", "y"]),
        "Map": object(&json!({ "centre": reference("Place") }), &[]),
    });
    let branch = |name: &&str| shape(name, reference(name));
    let of = |names: &[&str]| union(&names.iter().map(branch).collect::<Vec<_>>(), &others);
    changes("behind-first", &of(&["Point"]), &of(&["Point", "Size"]), &["U::Size added: compatible"]);
    // The draft needs the rule that the variant which keeps most is read. So a value that was a `Point` may now be a
    // `Size`.
    let mut best = of(&["Point", "Size", "Place"]);
    best["U"]["anyOf"][2]["description"] = json!("**UNSTABLE**\n\nNot part of the spec yet.");
    let first = of(&["Point", "Size"]);
    changes("best", &first, &best, &["U::Place added: compatible", "U::Size reordered: breaking"]);
    changes("best-no-more", &best, &first, &["U::Place removed: compatible", "U::Point reordered: breaking"]);
}

#[test]
fn what_a_type_can_do_is_part_of_it() {
    // A list of texts has no order and no display, so the union has neither any more.
    let others = json!({});
    let (name, number) = (shape("Name", text()), shape("Number", json!({ "type": "integer" })));
    let list = shape("List", json!({ "type": "array", "items": text() }));
    let diff =
        compare("traits", &union(&[name.clone(), number.clone()], &others), &union(&[name, number, list], &others));
    let lost = diff.changes.iter().find(|change| change.item == "U" && change.what == diff::ChangeKind::Lost);
    let lost = &lost.expect("they are told").detail;
    for expected in ["`Display`", "`Eq`", "`Ord`", "`Hash`"] {
        assert!(lost.contains(expected), "{lost}");
    }
    assert_eq!(diff.verdict(), Verdict::Breaking);
    // A struct that begins to contain itself gets a box at that place.
    let nodes = |circle: bool| {
        let maybe = |name: &str| json!({ "anyOf": [reference(name), { "type": "null" }] });
        let on = if circle { json!({ "on": maybe("B") }) } else { json!({}) };
        json!({ "A": object(&on, &[]), "B": object(&json!({ "back": maybe("A") }), &[]) })
    };
    assert_eq!(compare("boxed", &nodes(false), &nodes(true)).verdict(), Verdict::Breaking);
}

#[test]
fn values_that_only_change_places_are_still_there() {
    let of = |words: [&str; 2]| {
        let words: Vec<Value> = words.iter().map(|word| json!({ "const": word, "type": "string" })).collect();
        json!({ "T": { "oneOf": words } })
    };
    changes("words-reordered", &of(["a", "b"]), &of(["b", "a"]), &["T reordered: compatible"]);
}

#[test]
fn what_is_written_is_compared() {
    let of = |default: bool| {
        // Without a rule for wrong values, the field would be an `Option`, and an empty list would be written.
        let mut list = json!({ "type": "array", "items": text(), "x-deserialize-default-on-error": true });
        if default {
            list["default"] = json!([]);
        }
        json!({ "T": object(&json!({ "a": list }), &[]) })
    };
    changes("written", &of(false), &of(true), &["T.a written differently: compatible"]);
}

#[test]
fn what_the_overlay_says_is_compared() {
    let schema = json!({
        "T": object(&json!({ "a": text() }), &[]),
        "W": { "oneOf": [{ "const": "x" }, { "const": "y" }, { "const": "z" }] },
        "N": { "anyOf": [{ "const": 1, "title": "One", "type": "integer" }, { "title": "other", "type": "integer" }] },
    });
    let why = |mut entry: Value| {
        entry["why"] = json!("a test");
        json!([entry])
    };
    let cases = [
        ("fields", why(json!({ "field": "T.a", "name": "b" })), Verdict::Breaking),
        ("paths", why(json!({ "field": "T.a" })), Verdict::Breaking),
        ("three_state", why(json!({ "field": "T.a" })), Verdict::Breaking),
        ("variants", why(json!({ "type": "N", "value": 1, "name": "First" })), Verdict::Breaking),
        ("enum_defaults", why(json!({ "type": "W", "value": "z", "unknown": true })), Verdict::Compatible),
    ];
    for (section, entries, expected) in cases {
        let old = surface(&format!("overlay-{section}-old"), &schema, &json!({}));
        let new = surface(&format!("overlay-{section}-new"), &schema, &json!({ section: entries }));
        let diff = diff::compare(&old, &new, None);
        assert_eq!(diff.verdict(), expected, "{section}: {}", diff.report(Format::Markdown, "old", "new"));
        assert_ne!(diff::compare(&new, &old, None).verdict(), Verdict::Same, "{section}");
    }
}

#[test]
fn what_stands_for_all_others_has_a_name_and_a_type() {
    let of = |title: &str, format: &str| {
        json!({ "N": { "anyOf": [
            { "const": 1, "title": "One", "type": "integer", "format": format }, { "title": title, "type": "integer", "format": format },
        ] } })
    };
    changes("other-renamed", &of("other", "int32"), &of("unknown", "int32"), &["N changed: breaking"]);
    changes("other-wider", &of("other", "int32"), &of("other", "int64"), &["N widened: breaking"]);
}

#[test]
fn the_text_of_a_number_is_compared() {
    let of = |title: &str| {
        let code = json!({ "const": 1, "title": title, "type": "integer" });
        json!({ "N": { "anyOf": [code, { "title": "other", "type": "integer" }] } })
    };
    changes("shown", &of("not here"), &of("Not here"), &["N::NotHere changed: compatible"]);
}

#[test]
fn every_schema_here_is_the_same_as_itself() {
    for version in ["v1", "v2"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
        for file in ["schema.json", "schema.unstable.json"] {
            let builder = Builder::new().schema(folder.join(file)).overlay(folder.join("overlay.json"));
            let read = || Surface::read(&builder).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(diff::compare(&read(), &read(), None), Diff::default(), "{version}/{file}");
        }
    }
}

/// `Caaaa`, `Cbaaa`, ..: a name that is one word.
fn name(mut number: usize) -> String {
    let mut out = String::from("C");
    for _ in 0..4 {
        out.push(char::from(b'a' + u8::try_from(number % 26).expect("less than 26")));
        number /= 26;
    }
    out
}

/// A chain of names that is ten times as long takes ten times as long, and not a hundred times.
#[test]
fn long_chains_of_names_are_compared_in_a_time_that_grows_with_them() {
    let chain = |length: usize, list: bool| {
        let link = |number: usize| {
            let next = reference(&if number + 1 == length { "End".to_owned() } else { name(number + 1) });
            let next = if list { json!({ "type": "array", "items": next }) } else { next };
            (name(number), next)
        };
        let mut definitions: serde_json::Map<String, Value> = (0..length).map(link).collect();
        definitions.insert("End".to_owned(), text());
        Value::Object(definitions)
    };
    for list in [false, true] {
        let took = |length: usize| -> Duration {
            let read = |end: Value| {
                let mut schema = chain(length, list);
                schema["End"] = end;
                surface(&format!("chain-{length}-{list}"), &schema, &json!({}))
            };
            let (old, new) = (read(text()), read(json!({ "type": "integer" })));
            let start = Instant::now();
            assert_eq!(diff::compare(&old, &new, None).changes.len(), 1, "only the end of it is another type");
            assert_eq!(diff::compare(&old, &old, None).verdict(), Verdict::Same);
            start.elapsed()
        };
        // Other programs may take the processor in the middle of a comparison. They do not do so each time.
        let linear = || {
            let (short, long) = (took(1_900), took(19_000));
            long < short * 40 + Duration::from_millis(200)
        };
        assert!((0..5).any(|_| linear()), "ten times as many names take more than forty times as long");
    }
}
