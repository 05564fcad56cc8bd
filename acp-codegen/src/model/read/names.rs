//! Makes Rust identifiers from the schema's names, and the errors for names that are not possible.

use std::collections::HashMap;

use heck::{ToPascalCase, ToSnakeCase};
use serde_json::Value;

use crate::error::{Place, Refused, Result};
use crate::normalise::Normalised;
use crate::source::Source;

/// Names that a definition must not have. It would hide a name that generated code uses or defines.
const TAKEN: &[&str] = &[
    "Self",
    "Option",
    "Some",
    "None",
    "Ok",
    "Err",
    "String",
    "Vec",
    "Box",
    "Default",
    "AgentMethodNames",
    "ClientMethodNames",
    "GeneralMethodNames",
    "ProxyMethodNames",
];

/// The name that a field must not have, because its setter would have the name of the constructor.
const CONSTRUCTOR: &str = "new";

/// The field for the unknown properties of an open struct.
const EXTRA: &str = "extra";

/// Checks all names. So the emitters need no check.
pub(super) fn check(source: &Source, normalised: &Normalised, refused: &mut Refused) {
    let mut seen = HashMap::new();
    for envelope in &normalised.envelopes {
        refused.take(&envelope.name, source.at(&envelope.name, |at| type_name(&envelope.name, at)));
        seen.insert(envelope.name.to_pascal_case(), &envelope.name);
    }
    for (name, definition) in &normalised.definitions {
        let checked = normalised.at(source, name, |at| {
            type_name(name, at)?;
            if let Some(other) = seen.insert(name.to_pascal_case(), name) {
                let what = format!("`{name}` and `{other}` give the same Rust name");
                return Err(at.name(what, "name one of the two under `names` in an overlay"));
            }
            fields(source, normalised, name, definition, at)
        });
        refused.take(normalised.origin(name), checked);
    }
}

fn type_name(name: &str, at: &Place<'_>) -> Result<()> {
    let pascal = name.to_pascal_case();
    if pascal != name || TAKEN.contains(&name) || !is_ident(name) {
        let help =
            "name it under `names` in an overlay: in `PascalCase`, and not like what every Rust file has in scope";
        return Err(at.name(format!("`{name}` cannot be the name of a Rust type here"), help));
    }
    Ok(())
}

fn fields(source: &Source, normalised: &Normalised, name: &str, definition: &Value, at: &Place<'_>) -> Result<()> {
    let parent = at.key("properties");
    let mut seen: HashMap<String, &str> = HashMap::new();
    if definition.get("additionalProperties").is_some() {
        seen.insert(EXTRA.to_owned(), "additionalProperties");
    }
    if let Some(flattened) = normalised.flattened.get(name) {
        if !is_ident(&flattened.field) {
            return Err(
                at.overlay(format!("`{}` is no name of a field", flattened.field), "choose another in `unions`")
            );
        }
        seen.insert(flattened.field.clone(), &flattened.union);
    }
    let properties = definition.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (wire, _) in properties {
        let place = parent.key(wire);
        let ident = source.overlay.field_name(name, wire).map_or_else(|| field_ident(wire), str::to_owned);
        if !is_ident(&ident) || ident == CONSTRUCTOR {
            return Err(
                place.name(format!("`{wire}` gives no Rust field name"), "name it under `fields` in an overlay")
            );
        }
        if let Some(other) = seen.insert(ident, wire) {
            return Err(place.name(
                format!("`{wire}` and `{other}` give the same Rust field"),
                "name one of them under `fields` in an overlay",
            ));
        }
    }
    Ok(())
}

/// The identifier of a field: `sessionId` becomes `session_id`, `_meta` becomes `meta`, and `type` becomes `type_`.
pub(super) fn field_ident(wire: &str) -> String {
    let snake = wire.to_snake_case();
    if is_ident(&snake) { snake } else { format!("{snake}_") }
}

pub(super) fn is_ident(name: &str) -> bool {
    // syn knows the keywords of earlier editions. `gen` is new in edition 2024.
    name != "gen" && syn::parse_str::<syn::Ident>(name).is_ok()
}

/// The identifier of a variant: `end_turn` becomes `EndTurn`. If the overlay has a name, it is `given`.
pub(super) fn variant_ident(given: Option<&str>, word: &str, at: &Place<'_>) -> Result<String> {
    let ident = given.map_or_else(|| word.to_pascal_case(), str::to_owned);
    if is_ident(&ident) {
        return Ok(ident);
    }
    Err(at.name(format!("`{word}` gives no name for a variant"), "name it under `variants` in an overlay"))
}
