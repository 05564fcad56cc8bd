//! Unions, from the branches of a `oneOf`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::keywords::only;
use super::names::{field_ident, is_ident, variant_ident};
use super::{Scope, overlaps, types};
use crate::error::{Error, Place, Result};
use crate::model::{Fallback, Other, Shape, Tagged, Type, Untagged, Variant};
use crate::normalise::Normalised;
use crate::source::dialect::{ref_name, text};

pub(super) fn read(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Shape> {
    let Scope { source, normalised, name, .. } = scope;
    let alternatives = &schema["oneOf"];
    let parent = at.key("oneOf");
    let Some(branches) = alternatives.as_array() else { return Err(untitled(&parent)) };
    let Some(tag) = crate::normalise::tag_of(alternatives) else {
        let read = |(index, branch): (usize, &Value)| shape_variant(branch, &parent.index(index));
        let variants = branches.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
        distinct(variants.iter().map(|variant| &variant.ident), &parent)?;
        let takes_anything = variants.iter().any(|variant| variant.payload == Type::Any);
        if takes_anything && variants.iter().any(|variant| matches!(variant.payload, Type::Named(_))) {
            // A definition that fits would drop what it does not know, where the last branch keeps anything.
            return Ok(Shape::Alias(Type::Any));
        }
        let overlap = overlaps::any(normalised, &variants);
        return Ok(Shape::Untagged(Untagged { variants, overlap }));
    };
    let mut union = Tagged { strict: source.overlay.is_strict(name), tag, variants: vec![], fallbacks: vec![] };
    for (index, branch) in branches.iter().enumerate() {
        let place = parent.index(index);
        let word = branch.get("properties").and_then(|p| p.get(&union.tag)?.get("const")?.as_str());
        if let Some(word) = word {
            union.variants.push(tagged_variant(scope, word, branch, &place)?);
        } else if branch.get("not").is_some() {
            union.fallbacks.push(Fallback::Other(other(normalised, &union.tag, branch, &place)?));
        } else {
            union.fallbacks.push(Fallback::Shape(shape_variant(branch, &place)?));
        }
    }
    let fallbacks = union.fallbacks.iter().map(|fallback| match fallback {
        Fallback::Shape(variant) => &variant.ident,
        Fallback::Other(other) => &other.ident,
    });
    distinct(union.variants.iter().map(|variant| &variant.ident).chain(fallbacks), &parent)?;
    Ok(Shape::Tagged(union))
}

fn tagged_variant(
    Scope { source, name, .. }: Scope<'_>,
    word: &str,
    branch: &Value,
    at: &Place<'_>,
) -> Result<Variant> {
    only(branch, &["type", "properties", "required", "$ref"], at)?;
    if branch.get("properties").and_then(Value::as_object).is_some_and(|properties| properties.len() > 1) {
        return Err(at.key("properties").unsupported(
            "a branch has fields of its own beside the definition that it refers to",
            "put them into that definition",
        ));
    }
    let ident = variant_ident(source.overlay.variant_name(name, &Value::from(word)), word, at)?;
    let payload = branch.get("$ref").map_or(Type::Unit, |reference| Type::Named(ref_name(reference)));
    Ok(Variant { wire: word.to_owned(), ident, docs: text(branch, "description"), payload })
}

fn shape_variant(branch: &Value, at: &Place<'_>) -> Result<Variant> {
    let title = text(branch, "title").or_else(|| by_content(branch));
    let title = title.ok_or_else(|| untitled(at))?;
    let ident = variant_ident(None, &title, at)?;
    Ok(Variant { wire: title, ident, docs: text(branch, "description"), payload: types::read(branch, at)? })
}

/// What a branch without a title is called: like what it refers to or is a list of, or like its type.
fn by_content(branch: &Value) -> Option<String> {
    let plain = || match branch.get("type")?.as_str()? {
        "null" => Some("Null"),
        "integer" | "number" => Some("Number"),
        "string" => Some("Str"),
        "boolean" => Some("Boolean"),
        "array" => Some("List"),
        "object" => Some("Object"),
        _ => None,
    };
    let reference = branch.get("$ref").or_else(|| branch.get("items")?.get("$ref"));
    reference.map(ref_name).or_else(|| plain().map(str::to_owned))
}

fn other(normalised: &Normalised, tag: &str, branch: &Value, at: &Place<'_>) -> Result<Other> {
    let known = ["type", "properties", "required", "oneOf", "not", "additionalProperties", "unevaluatedProperties"];
    only(branch, &known, at)?;
    let required = branch.get("required").and_then(Value::as_array).into_iter().flatten();
    let properties = at.key("properties");
    let required = required.filter_map(Value::as_str).filter(|key| *key != tag);
    let read = |key: &str| {
        let schema = branch.get("properties").and_then(|properties| properties.get(key));
        let payload = schema.map_or(Ok(Type::Any), |schema| types::read(schema, &properties.key(key)))?;
        Ok((key.to_owned(), payload))
    };
    let required = required.map(read).collect::<Result<_>>()?;
    let also = match branch.get("oneOf") {
        None => None,
        Some(alternatives) => Some(same_union(normalised, alternatives, at)?),
    };
    let tag_docs = branch.get("properties").and_then(|properties| text(properties.get(tag)?, "description"));
    let ident = variant_ident(None, text(branch, "title").as_deref().unwrap_or("other"), at)?;
    let tag_ident = field_ident(tag);
    if !is_ident(&tag_ident) || tag_ident == "fields" {
        return Err(at.name(format!("the tag `{tag}` gives no Rust field name"), "an open union needs another tag"));
    }
    Ok(Other { ident, docs: text(branch, "description"), tag_ident, tag_docs, required, also })
}

/// The definition whose branches are exactly these.
fn same_union(normalised: &Normalised, alternatives: &Value, at: &Place<'_>) -> Result<String> {
    let same = |definition: &Value| definition.get("oneOf").is_some_and(|union| says_the_same(union, alternatives));
    let found = normalised.definitions.iter().find(|(_, definition)| same(definition));
    found.map(|(name, _)| name.clone()).ok_or_else(|| {
        at.unsupported(
            "a union stands inline in an open branch",
            "give it a name in `$defs`, and use it elsewhere, too",
        )
    })
}

/// Whether two schemas differ in nothing but their descriptions.
fn says_the_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let said = |map: &Map<String, Value>| map.len() - usize::from(map.contains_key("description"));
            let found = |(key, value): (&String, &Value)| {
                key == "description" || other.get(key).is_some_and(|other| says_the_same(value, other))
            };
            said(one) == said(other) && one.iter().all(found)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| says_the_same(one, other))
        }
        (one, other) => one == other,
    }
}

fn distinct<'a>(idents: impl Iterator<Item = &'a String>, at: &Place<'_>) -> Result<()> {
    let mut seen = HashSet::new();
    for ident in idents {
        if !seen.insert(ident) {
            return Err(at.name(
                format!("two branches are both called `{ident}`"),
                "name one of them under `variants` in an overlay",
            ));
        }
    }
    Ok(())
}

fn untitled(at: &Place<'_>) -> Error {
    at.unsupported("this branch has neither a tag nor a title", "give it a `title`: it becomes the variant's name")
}
