//! What became of drafts: promoted, renamed, withdrawn. `pull` compares two versions of the schema, and keeps the result in
//! `schema/moved.json`, from which the macros get their table.

use serde::{Deserialize, Serialize};

use super::entry::{self, Known, Subject};
use crate::builder::Builder;
use crate::error::Result;
use crate::model::Method;

/// A draft that is none any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// The name on the wire; of a word of `capabilities(..)`, the word.
    pub draft: String,
    /// The function of an agent or a client; of a word, the word.
    pub handler: String,
    pub became: Became,
    /// The version of the schema.
    #[serde(rename = "in")]
    pub since: String,
}

/// What a draft became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    Stable,
    Withdrawn,
    Renamed { name: String, handler: String },
}

/// Adds the drafts that the schemas of `before` have and those of `after` have no more. A draft that is back is taken out.
///
/// # Errors
///
/// The errors of [`Builder::generate`].
pub fn update(moved: &[Moved], before: &[(u8, Builder)], after: &[(u8, Builder)], since: &str) -> Result<Vec<Moved>> {
    let read = |versions: &[(u8, Builder)]| {
        versions.iter().map(|(_, builder)| entry::read(builder)).collect::<Result<Vec<_>>>()
    };
    let (before, after) = (read(before)?, read(after)?);
    let mut all = moved.to_vec();
    let mut add = |fresh: Moved| {
        if !all.iter().any(|known| known.handler == fresh.handler) {
            all.push(fresh);
        }
    };
    for known in &before {
        for method in known.methods() {
            if let Some(became) = became(known, method, &before, &after) {
                let (draft, handler) = (method.wire.clone(), method.handler.clone());
                add(Moved { draft, handler, became, since: since.to_owned() });
            }
        }
        for word in words(known).filter(|word| !after.iter().any(|after| words(after).any(|other| other == *word))) {
            let (draft, handler) = (word.to_owned(), word.to_owned());
            add(Moved { draft, handler, became: Became::Withdrawn, since: since.to_owned() });
        }
    }
    all.retain(|moved| {
        let is_back = |known: &Known| {
            known.methods().any(|method| method.handler == moved.handler)
                || words(known).any(|word| *word == moved.handler)
        };
        !after.iter().any(is_back)
    });
    Ok(all)
}

fn words(known: &Known) -> impl Iterator<Item = &str> {
    known.entries.iter().filter_map(|(entry, _)| match entry.subject()? {
        Subject::Word(word) => Some(word),
        Subject::Method(_) | Subject::Part(_) => None,
    })
}

fn became(of: &Known, method: &Method, before: &[Known], after: &[Known]) -> Option<Became> {
    let is = |other: &&Method| other.wire == method.wire && other.side == method.side && other.kind == method.kind;
    let now: Vec<&Method> = all(after).filter(|(_, other)| is(other)).map(|(_, other)| other).collect();
    if let Some(one) = now.first() {
        // It is a draft as long as each version that has it says so.
        return if now.iter().all(|method| method.draft) || !one.draft && !method.draft {
            None
        } else {
            Some(Became::Stable)
        };
    }
    let shape = entry::shape(&of.model, method);
    let is_new = |other: &Method| !all(before).any(|(_, known)| known.wire == other.wire);
    let is_alike = |known: &Known, other: &Method| {
        other.side == method.side
            && other.kind == method.kind
            && is_new(other)
            && (other.params == method.params || entry::shape(&known.model, other) == shape)
    };
    let mut alike: Vec<&Method> =
        all(after).filter(|(known, other)| is_alike(known, other)).map(|(_, other)| other).collect();
    alike.dedup_by(|one, other| one.wire == other.wire);
    // Those of the same definition come first: several methods may have only a session's id.
    let named: Vec<&Method> = alike.iter().copied().filter(|other| other.params == method.params).collect();
    Some(match (&*named, &*alike) {
        ([other, ..], _) | ([], [other]) => {
            Became::Renamed { name: other.wire.clone(), handler: other.handler.clone() }
        }
        _ => Became::Withdrawn,
    })
}

fn all(known: &[Known]) -> impl Iterator<Item = (&Known, &Method)> {
    known.iter().flat_map(|known| known.model.methods.iter().map(move |method| (known, method)))
}
