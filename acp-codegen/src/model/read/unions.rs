//! Reads unions from the branches of a `oneOf`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::branches::Called;
use super::keywords::only;
use super::names::{field_ident, is_ident, variant_ident};
use super::{Scope, branches, types};
use crate::error::{Place, Result};
use crate::model::{Fallback, Other, Shape, Tagged, Type, Untagged, Variant};
use crate::normalise::Normalised;
use crate::source::dialect::{ref_name, text};

pub(super) fn read(scope: Scope<'_>, schema: &Value, at: &Place<'_>) -> Result<Shape> {
    let Scope { source, name, .. } = scope;
    let alternatives = &schema["oneOf"];
    let parent = at.key("oneOf");
    let branches = alternatives.as_array().map_or(&[][..], Vec::as_slice);
    let names = branches::names(scope, branches);
    let Some(tag) = crate::normalise::tag_of(alternatives) else {
        let read = |(index, branch): (usize, &Value)| shape_variant(scope, index, branch, &names, &parent);
        let variants = branches.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
        let idents = variants.iter().map(|variant| variant.ident.clone());
        distinct(scope, idents.enumerate().map(|(index, ident)| (index.into(), ident)), &parent)?;
        let takes_anything = variants.iter().any(|variant| variant.payload == Type::Any);
        if takes_anything && variants.iter().any(|variant| matches!(variant.payload, Type::Named(_))) {
            // A definition would drop unknown members, but the last branch keeps any value.
            return Ok(Shape::Alias(Type::Any));
        }
        return Ok(Shape::Untagged(Untagged { variants }));
    };
    let mut union = Tagged { strict: source.overlay.is_strict(name), tag, variants: vec![], fallbacks: vec![] };
    let mut idents: Vec<(Value, String)> = Vec::new();
    for (index, branch) in branches.iter().enumerate() {
        let place = parent.index(index);
        let word = branch.get("properties").and_then(|p| p.get(&union.tag)?.get("const")?.as_str());
        if let Some(word) = word {
            let variant = tagged_variant(scope, word, branch, &place)?;
            idents.push((word.into(), variant.ident.clone()));
            union.variants.push(variant);
        } else if branch.get("not").is_some() {
            let other = other(scope, &union.tag, branch, &place)?;
            idents.push((text(branch, "title").unwrap_or_else(|| "other".to_owned()).into(), other.ident.clone()));
            union.fallbacks.push(Fallback::Other(other));
        } else {
            let variant = shape_variant(scope, index, branch, &names, &parent)?;
            idents.push((index.into(), variant.ident.clone()));
            union.fallbacks.push(Fallback::Shape(variant));
        }
    }
    distinct(scope, idents.into_iter(), &parent)?;
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

fn shape_variant(
    scope: Scope<'_>,
    index: usize,
    branch: &Value,
    names: &[Option<Called>],
    parent: &Place<'_>,
) -> Result<Variant> {
    let at = &parent.index(index);
    let Some(called) = &names[index] else {
        let help = format!("give it a `title`, or name it {}", entry(scope, &index.into()));
        return Err(at.unsupported("this branch has neither a tag nor a title", help));
    };
    let ident = variant_ident(called.given(), &called.word, at)?;
    let wire = text(branch, "title").unwrap_or_else(|| called.word.clone());
    Ok(Variant { wire, ident, docs: text(branch, "description"), payload: types::read(branch, at)? })
}

/// The key of a branch in the overlay: its tag, or its position.
fn entry(Scope { name, .. }: Scope<'_>, value: &Value) -> String {
    format!("under `variants` in an overlay, with `\"type\": \"{name}\", \"value\": {value}`")
}

fn other(scope: Scope<'_>, tag: &str, branch: &Value, at: &Place<'_>) -> Result<Other> {
    let Scope { source, normalised, name, .. } = scope;
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
    let title = text(branch, "title").unwrap_or_else(|| "other".to_owned());
    let ident = variant_ident(source.overlay.variant_name(name, &title.as_str().into()), &title, at)?;
    let tag_ident = field_ident(tag);
    if !is_ident(&tag_ident) || tag_ident == "fields" {
        return Err(at.name(format!("the tag `{tag}` gives no Rust field name"), "an open union needs another tag"));
    }
    Ok(Other { ident, docs: text(branch, "description"), tag_ident, tag_docs, required, also })
}

/// The definition with exactly these branches.
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

/// Whether two schemas differ only in their descriptions.
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

fn distinct(scope: Scope<'_>, idents: impl Iterator<Item = (Value, String)>, at: &Place<'_>) -> Result<()> {
    let mut seen = HashSet::new();
    for (value, ident) in idents {
        if seen.contains(&ident) {
            let help = format!("name one of them {}", entry(scope, &value));
            return Err(at.name(format!("two branches are both called `{ident}`"), help));
        }
        seen.insert(ident);
    }
    Ok(())
}
