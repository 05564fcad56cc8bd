//! The rooms of `acp-codegen`: a pipeline in which each stage takes the output of the earlier stages.

use super::{house::House, rules};

fn house() -> House {
    House::read("acp-codegen/src", 80)
}

#[test]
fn no_stage_knows_one_behind_it() {
    rules::no_room_knows_one_above_it(
        &house(),
        &[
            &["error", "remarks", "stack"],
            &["format", "output", "source"],
            &["normalise"],
            &["model"],
            &["emit"],
            &["reuse"],
            &["builder"],
            &["diff", "drafts", "tables"],
            &["cli", "main"],
        ],
    );
}

#[test]
fn no_arrow_runs_up() {
    rules::no_arrow_runs_up(&house(), &[]);
}

#[test]
fn no_files_lead_to_each_other() {
    rules::no_files_lead_to_each_other(&house(), &[]);
}

/// The model must have every fact. If it lacks a fact, no code can be emitted from it, and no difference between
/// schemas can show.
#[test]
fn emit_and_diff_read_the_model_and_no_schema() {
    let house = house();
    let known =
        [("emit", &["emit", "error", "model", "remarks"][..]), ("diff", &["builder", "diff", "error", "model"])];
    let mut wrong = Vec::new();
    for (from, to) in house.arrows() {
        let [here, there] = [&from, &to].map(|path| path.iter().next().expect("a name").to_string_lossy().into_owned());
        let Some((_, known)) = known.iter().find(|(room, _)| *room == here) else { continue };
        let is_handed_on = HANDED_ON.iter().any(|file| to.ends_with(file));
        if !known.contains(&there.trim_end_matches(".rs")) && !is_handed_on {
            wrong.push(format!("{} knows {}", from.display(), to.display()));
        }
    }
    for source in house.sources() {
        if !known.iter().any(|(room, _)| source.module.first().is_some_and(|first| first == room)) {
            continue;
        }
        let file = source.path.display().to_string();
        let keys = source.texts.iter().filter(|text| is_of_a_schema(text) && !NO_KEYS.contains(&(&file, text)));
        wrong.extend(keys.map(|key| format!("{file} names {key:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files with types that the model hands on as they are.
const HANDED_ON: &[&str] = &["normalise/envelopes.rs", "normalise/split.rs"];

/// Whether a text is a key of a JSON schema, or a pointer into one.
fn is_of_a_schema(text: &str) -> bool {
    const KEYS: &[&str] = &[
        "$ref",
        "$defs",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "default",
        "definitions",
        "description",
        "discriminator",
        "enum",
        "format",
        "items",
        "maximum",
        "minimum",
        "not",
        "oneOf",
        "properties",
        "required",
        "title",
        "type",
        "unevaluatedProperties",
    ];
    KEYS.contains(&text) || text.starts_with("x-") || text.starts_with("#/") || text.starts_with("/$")
}

/// Texts that look like a key of a schema and are none, each with its file.
const NO_KEYS: &[(&str, &str)] = &[
    // Kinds of items in Rust.
    ("diff/api.rs", "enum"),
    ("diff/api.rs", "type"),
    // Words and keys of the report.
    ("diff/report.rs", "type"),
    ("diff/report.rs", "items"),
    // A property of a field.
    ("diff/fields.rs", "required"),
];
