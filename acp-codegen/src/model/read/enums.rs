//! Reads lists of constants from the branches of a `oneOf`.

use serde_json::Value;

use super::keywords::{only, typed};
use super::names::variant_ident;
use super::{Scope, types};
use crate::error::{Error, Place, Result};
use crate::model::{ClosedEnum, ClosedIntegers, EnumValue, IntegerType, OpenIntegers, OpenWords, Shape};
use crate::normalise::constant_word;
use crate::source::dialect::text;

pub(super) fn read(scope: Scope<'_>, branches: &[Value], at: &Place<'_>) -> Result<Shape> {
    let parent = at.key("oneOf");
    let constants = branches.iter().take_while(|branch| branch.get("const").is_some()).count();
    let (known, rest) = branches.split_at(constants);
    if known.iter().all(|branch| branch["const"].is_string()) {
        let values: Vec<EnumValue<String>> = collect(scope, known, &parent, |value| value.as_str().map(str::to_owned))?;
        return match rest {
            [] => closed(scope, values, at),
            [other] if other.get("type").is_some_and(|kind| kind == "string") => {
                Ok(Shape::OpenWords(OpenWords { other: rest_of(scope, other, &values, &parent)?, values }))
            }
            _ => Err(mixed(&parent)),
        };
    }
    let integer = |branch: &&Value| branch.get("type").is_some_and(|kind| kind == "integer");
    let (kind, values) = match rest {
        [] => integers(scope, known, &known[0], &parent)?,
        [other] if integer(&other) => integers(scope, known, other, &parent)?,
        _ => return Err(mixed(&parent)),
    };
    match rest.first() {
        None => {
            let (default, unknown_is_default) = default(scope, &values, at)?;
            Ok(Shape::ClosedIntegers(ClosedIntegers { kind, values, default, unknown_is_default }))
        }
        Some(other) => {
            Ok(Shape::OpenIntegers(OpenIntegers { kind, other: rest_of(scope, other, &values, &parent)?, values }))
        }
    }
}

/// Reads a list of numbers. `typed` is their type.
fn integers(
    scope: Scope<'_>,
    known: &[Value],
    typed: &Value,
    parent: &Place<'_>,
) -> Result<(IntegerType, Vec<EnumValue<i64>>)> {
    let kind = types::integer(typed, parent)?;
    let values = collect(scope, known, parent, Value::as_i64)?;
    match values.iter().position(|value| !kind.holds(value.wire)) {
        Some(index) => Err(parent.index(index).unsupported(
            format!("{} is no `{}`", values[index].wire, kind.rust()),
            "correct the number or its `format`, in the schema or in a copy of it",
        )),
        None => Ok((kind, values)),
    }
}

fn mixed(at: &Place<'_>) -> Error {
    at.unsupported(
        "constants are mixed with something else",
        "list constants of one type, and at most one last branch that takes any other value of it",
    )
}

fn closed(scope: Scope<'_>, values: Vec<EnumValue<String>>, at: &Place<'_>) -> Result<Shape> {
    let (default, unknown_is_default) = default(scope, &values, at)?;
    // serde accepts its attribute `other` only on the last variant.
    if unknown_is_default && values.last().map(|last| &last.ident) != default.as_ref() {
        return Err(at.overlay(
            format!("the default of `{}` is to take unknown values, but is not the last one", scope.name),
            "only the last value can; take `unknown` out of `enum_defaults`",
        ));
    }
    Ok(Shape::ClosedEnum(ClosedEnum { values, default, unknown_is_default }))
}

/// The variant that stands for absence, and whether it also stands for unknown values.
fn default<T: Clone + Into<Value>>(
    Scope { source, name, .. }: Scope<'_>,
    values: &[EnumValue<T>],
    at: &Place<'_>,
) -> Result<(Option<String>, bool)> {
    let Some(entry) = source.overlay.enum_default(name) else {
        let only = if values.len() == 1 { values.first() } else { None };
        return Ok((only.map(|value| value.ident.clone()), false));
    };
    let missing = || at.overlay(format!("`{name}` has no value {}", entry.value), "fix `enum_defaults`");
    let is_default = |value: &&EnumValue<T>| value.wire.clone().into() == entry.value;
    let value = values.iter().find(is_default).ok_or_else(missing)?;
    Ok((Some(value.ident.clone()), entry.unknown))
}

fn collect<T>(
    Scope { source, name, .. }: Scope<'_>,
    branches: &[Value],
    parent: &Place<'_>,
    wire: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<EnumValue<T>>> {
    let mut values: Vec<EnumValue<T>> = Vec::with_capacity(branches.len());
    for (index, branch) in branches.iter().enumerate() {
        let at = parent.index(index);
        only(branch, &["type", "format", "const"], &at)?;
        let constant = &branch["const"];
        typed(branch, if constant.is_string() { "string" } else { "integer" }, &at)?;
        let wire = wire(constant).ok_or_else(|| mixed(&at))?;
        let title = text(branch, "title");
        let docs = text(branch, "description");
        let word = constant.as_str().or(title.as_deref()).or_else(|| docs.as_deref().and_then(bold));
        let word = word.map_or_else(|| constant_word(constant), str::to_owned);
        let ident = variant_ident(source.overlay.variant_name(name, constant), &word, &at)?;
        if values.iter().any(|value| value.ident == ident) {
            return Err(at.name(
                format!("two values of `{name}` are both called `{ident}`"),
                "name one of them under `variants` in an overlay",
            ));
        }
        values.push(EnumValue { wire, ident, docs, title });
    }
    Ok(values)
}

/// The name in a description such as `**Parse error**: ..`. In old versions there is no title, and descriptions begin
/// in this way.
fn bold(description: &str) -> Option<&str> {
    description.strip_prefix("**")?.split_once("**").map(|(words, _)| words)
}

fn rest_of<T>(
    Scope { source, name, .. }: Scope<'_>,
    branch: &Value,
    known: &[EnumValue<T>],
    at: &Place<'_>,
) -> Result<EnumValue<()>> {
    only(branch, &["type", "format", "minimum", "maximum"], at)?;
    let title = text(branch, "title");
    let word = title.as_deref().unwrap_or("other");
    let ident = variant_ident(source.overlay.variant_name(name, &word.into()), word, at)?;
    if known.iter().any(|value| value.ident == ident) {
        return Err(at.name(
            format!("a value of `{name}` and what stands for all others are both called `{ident}`"),
            "name the value under `variants` in an overlay",
        ));
    }
    Ok(EnumValue { wire: (), ident, docs: text(branch, "description"), title })
}
