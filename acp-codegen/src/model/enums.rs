//! Lists of constants: closed, or open with a last branch that takes any other value.

use serde_json::Value;

use super::definition::Shape;
use super::keywords::{only, typed};
use super::names::variant_ident;
use super::payload::IntegerType;
use crate::error::{Place, Result};
use crate::source::Source;

/// One constant.
#[derive(Debug)]
pub(crate) struct Word<T> {
    pub(crate) wire: T,
    pub(crate) ident: String,
    pub(crate) docs: Option<String>,
    /// What the schema calls it in prose.
    pub(crate) title: Option<String>,
}

#[derive(Debug)]
pub(crate) struct ClosedEnum {
    pub(crate) words: Vec<Word<String>>,
    /// The variant that stands for absence.
    pub(crate) default: Option<String>,
    /// Unknown words decode as the default.
    pub(crate) unknown_is_default: bool,
}

#[derive(Debug)]
pub(crate) struct OpenWords {
    pub(crate) words: Vec<Word<String>>,
    /// The variant for all other words.
    pub(crate) other: Word<()>,
}

#[derive(Debug)]
pub(crate) struct OpenIntegers {
    pub(crate) kind: IntegerType,
    pub(crate) words: Vec<Word<i64>>,
    /// The variant for all other numbers.
    pub(crate) other: Word<()>,
}

pub(super) fn read(source: &Source, name: &str, branches: &[Value], at: &Place<'_>) -> Result<Shape> {
    let parent = at.key("oneOf");
    let constants = branches.iter().take_while(|branch| branch.get("const").is_some()).count();
    let (known, rest) = branches.split_at(constants);
    if known.iter().all(|branch| branch["const"].is_string()) {
        let words = collect(source, name, known, &parent, |value| value.as_str().map(str::to_owned))?;
        return match rest {
            [] => closed(source, name, words, at),
            [other] if other.get("type").is_some_and(|kind| kind == "string") => {
                Ok(Shape::OpenWords(OpenWords { other: rest_of(name, other, &words, &parent)?, words }))
            }
            _ => Err(mixed(&parent)),
        };
    }
    match rest {
        [other] if other.get("type").is_some_and(|kind| kind == "integer") => {
            let words = collect(source, name, known, &parent, Value::as_i64)?;
            let kind = IntegerType::read(other, &parent)?;
            Ok(Shape::OpenIntegers(OpenIntegers { kind, other: rest_of(name, other, &words, &parent)?, words }))
        }
        _ => Err(mixed(&parent)),
    }
}

fn mixed(at: &Place<'_>) -> crate::Error {
    at.unsupported(
        "constants are mixed with something else",
        "list constants of one type, and at most one last branch that takes any other value of it",
    )
}

fn closed(source: &Source, name: &str, words: Vec<Word<String>>, at: &Place<'_>) -> Result<Shape> {
    let entry = source.overlay.enum_default(name);
    let default = match entry {
        None if words.len() == 1 => words.first().map(|word| word.ident.clone()),
        None => None,
        Some(entry) => {
            let word = words.iter().find(|word| word.wire == entry.value);
            let missing = || at.overlay(format!("`{name}` has no value `{}`", entry.value), "fix `enum_defaults`");
            let word = word.ok_or_else(missing)?;
            // serde's `other` takes no other place.
            if entry.unknown && words.last().is_some_and(|last| last.wire != word.wire) {
                return Err(at.overlay(
                    format!("`{}` is to take unknown values, but is not the last one of `{name}`", entry.value),
                    "only the last value can; take `unknown` out of `enum_defaults`",
                ));
            }
            Some(word.ident.clone())
        }
    };
    Ok(Shape::ClosedEnum(ClosedEnum { words, default, unknown_is_default: entry.is_some_and(|entry| entry.unknown) }))
}

fn collect<T>(
    source: &Source,
    name: &str,
    branches: &[Value],
    parent: &Place<'_>,
    value: impl Fn(&Value) -> Option<T>,
) -> Result<Vec<Word<T>>> {
    let mut words: Vec<Word<T>> = Vec::with_capacity(branches.len());
    for (index, branch) in branches.iter().enumerate() {
        let at = parent.index(index);
        only(branch, &["type", "format", "const"], &at)?;
        let constant = &branch["const"];
        typed(branch, if constant.is_string() { "string" } else { "integer" }, &at)?;
        let wire = value(constant).ok_or_else(|| mixed(&at))?;
        let title = text(branch, "title");
        let docs = text(branch, "description");
        let word =
            constant.as_str().or(title.as_deref()).or_else(|| docs.as_deref().and_then(bold)).unwrap_or_default();
        let ident = variant_ident(source.overlay.variant_name(name, constant), word, &at)?;
        if words.iter().any(|word| word.ident == ident) {
            return Err(at.name(
                format!("two values of `{name}` are both called `{ident}`"),
                "name one of them under `variants` in an overlay",
            ));
        }
        words.push(Word { wire, ident, docs, title });
    }
    Ok(words)
}

/// `**Parse error**: ..`, as descriptions begin where old versions have no title.
fn bold(description: &str) -> Option<&str> {
    description.strip_prefix("**")?.split_once("**").map(|(words, _)| words)
}

fn rest_of<T>(name: &str, branch: &Value, known: &[Word<T>], at: &Place<'_>) -> Result<Word<()>> {
    only(branch, &["type", "format", "minimum", "maximum"], at)?;
    let title = text(branch, "title");
    let ident = variant_ident(None, title.as_deref().unwrap_or("other"), at)?;
    if known.iter().any(|word| word.ident == ident) {
        return Err(at.name(
            format!("a value of `{name}` and what stands for all others are both called `{ident}`"),
            "name the value under `variants` in an overlay",
        ));
    }
    Ok(Word { wire: (), ident, docs: text(branch, "description"), title })
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}
