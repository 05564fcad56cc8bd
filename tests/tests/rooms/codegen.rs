//! The rooms of `acp-codegen`: a pipeline in which each stage takes the output of the earlier stages.

use super::reader::House;

const CODEGEN: House = House {
    root: "acp-codegen/src",
    sources: 80,
    rooms: &[
        &["error", "remarks", "stack"],
        &["format", "output", "source"],
        &["normalise"],
        &["model"],
        &["emit"],
        &["builder"],
        &["diff", "tables"],
        &["cli", "main"],
    ],
    names: &[],
    anywhere: &[],
};

#[test]
fn no_stage_knows_one_behind_it() {
    CODEGEN.no_room_knows_one_above_it();
}

#[test]
fn no_files_lead_to_each_other() {
    CODEGEN.nothing_leads_round_in_a_circle();
}

/// The model must have every fact. If it lacks a fact, no code can be emitted from it, and no difference between
/// schemas can show.
#[test]
fn emit_and_diff_read_the_model_and_no_schema() {
    let known =
        [("emit", &["emit", "error", "model", "remarks"][..]), ("diff", &["builder", "diff", "error", "model"])];
    let mut wrong = Vec::new();
    for source in CODEGEN.sources() {
        let Some((_, known)) = known.iter().find(|(room, _)| *room == source.room) else { continue };
        let path = source.path.display();
        let names = source.names.iter().filter(|name| !known.contains(&name.as_str()));
        wrong.extend(names.map(|name| format!("{path} knows `{name}`")));
        let file = path.to_string();
        let keys = source.texts.iter().filter(|text| is_of_a_schema(text) && !NO_KEYS.contains(&(&file, text)));
        wrong.extend(keys.map(|key| format!("{path} names {key:?}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

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
