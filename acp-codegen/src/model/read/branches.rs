//! Finds names for a union's branches without a tag. A name comes from the overlay, from the branch's title, or from
//! its type.

use std::collections::HashSet;

use heck::ToPascalCase as _;
use serde_json::Value;

use super::Scope;
use crate::source::dialect::{ref_name, text};

/// The name of a branch.
#[derive(Clone)]
pub(super) struct Called {
    pub(super) word: String,
    /// Whether the overlay gives the name. If not, the name comes from the schema.
    pub(super) by_overlay: bool,
}

impl Called {
    /// The name from the overlay, if there is one.
    pub(super) fn given(&self) -> Option<&str> {
        self.by_overlay.then_some(self.word.as_str())
    }
}

/// The names of the branches, in their order. `None` for a branch without a name. If a list or an object without a
/// title has the same name as another branch, it gets another name.
pub(super) fn names(scope: Scope<'_>, branches: &[Value]) -> Vec<Option<Called>> {
    let mut names: Vec<_> = branches.iter().enumerate().map(|(index, branch)| called(scope, index, branch)).collect();
    let mut taken: HashSet<String> = names.iter().flatten().map(|name| name.word.to_pascal_case()).collect();
    for (name, branch) in names.iter_mut().zip(branches).filter(|(name, _)| name.is_none()) {
        if let Some(word) = candidates(branch).and_then(|mut words| words.find(|word| taken.insert(word.clone()))) {
            *name = Some(Called { word, by_overlay: false });
        }
    }
    names
}

/// The name of the branch alone. Other branches may have the same name.
fn called(Scope { source, name, .. }: Scope<'_>, index: usize, branch: &Value) -> Option<Called> {
    let title = text(branch, "title");
    let said = title.or_else(|| branch.get("$ref").map(ref_name)).or_else(|| scalar(branch).map(str::to_owned));
    let named = |value: Value| source.overlay.variant_name(name, &value);
    match named(index.into()).or_else(|| named(said.clone()?.into())) {
        Some(given) => Some(Called { word: given.to_owned(), by_overlay: true }),
        None => said.map(|word| Called { word, by_overlay: false }),
    }
}

fn scalar(branch: &Value) -> Option<&'static str> {
    match branch.get("type")?.as_str()? {
        "null" => Some("Null"),
        "integer" | "number" => Some("Number"),
        "string" => Some("Str"),
        "boolean" => Some("Boolean"),
        _ => None,
    }
}

/// The possible names of a list or an object. The best name comes first. A list has the name of its items.
fn candidates(branch: &Value) -> Option<impl Iterator<Item = String>> {
    let kind = branch.get("type")?.as_str()?;
    let items = branch.get("items").and_then(|items| items.get("$ref")).map(ref_name);
    let (first, next) = match (kind, items) {
        ("array", Some(items)) => (Some(items.clone()), format!("{items}List")),
        ("array", None) => (None, "List".to_owned()),
        ("object", _) => (None, "Object".to_owned()),
        _ => return None,
    };
    let more = next.clone();
    Some(first.into_iter().chain([next]).chain((2..).map(move |number| format!("{more}{number}"))))
}
