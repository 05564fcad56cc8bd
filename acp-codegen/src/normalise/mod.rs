//! Second stage: rewrites a checked schema into the few forms that the model reads. There is one rule in each file.
//!
//! After this stage, a definition is one of these: a struct, a union (`oneOf`), a list of constants, a constant, a text
//! or a number, an alias, an untyped value. If a part of a definition needs a type, it is a definition of its own.

mod alternatives;
mod anything;
mod constraints;
mod defaults;
mod enumeration;
mod envelopes;
mod hoist;
mod merge;
mod parts;
mod references;
mod split;
mod types;
mod walk;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::error::{Place, Refused, Result};
use crate::remarks::remark;
use crate::source::Source;
use crate::source::dialect::ref_name;

pub(crate) use enumeration::word as constant_word;
pub(crate) use envelopes::{Envelope, EnvelopeKind, Payload};
pub(crate) use split::{Flattened, tag_of};

/// The output of the rules.
#[derive(Debug, Default)]
pub(crate) struct Normalised {
    /// The definitions in schema order. If a rule added a definition, it stands directly before its origin.
    pub(crate) definitions: Map<String, Value>,
    /// The unions that a rule has taken out of a struct, by the struct's name.
    pub(crate) flattened: HashMap<String, Flattened>,
    /// The definitions that are the inline fields of a union's variant.
    pub(crate) inline: HashSet<String>,
    /// For each definition that a rule added, the place of its origin.
    origins: HashMap<String, Origin>,
    /// The whole messages: the requests, responses and notifications that a side sends.
    pub(crate) envelopes: Vec<Envelope>,
}

/// A place in the files: a definition, and the path inside of it.
#[derive(Debug, Clone)]
struct Origin {
    definition: String,
    path: Vec<String>,
}

impl Origin {
    fn of(definition: &str) -> Self {
        Self { definition: definition.to_owned(), path: Vec::new() }
    }

    /// A place inside of this place.
    fn inside<const N: usize>(&self, way: [&str; N]) -> Self {
        let mut inside = self.clone();
        inside.path.extend(way.map(str::to_owned));
        inside
    }

    fn at<T>(&self, source: &Source, f: impl FnOnce(&Place<'_>) -> T) -> T {
        source.at_path(&self.definition, &self.path, f)
    }
}

impl Normalised {
    /// The definition in the files from which `name` comes. This is the definition itself, unless a rule added it.
    pub(crate) fn origin<'a>(&'a self, name: &'a str) -> &'a str {
        self.origins.get(name).map_or(name, |origin| &origin.definition)
    }

    /// Calls `f` with the place in the files from which `name` comes.
    pub(crate) fn at<T>(&self, source: &Source, name: &str, f: impl FnOnce(&Place<'_>) -> T) -> T {
        match self.origins.get(name) {
            Some(origin) => origin.at(source, f),
            None => source.at(name, f),
        }
    }

    /// The schema at the end of a chain of references.
    pub(crate) fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        // The dialect check has refused circles of names, so the chain ends.
        let next = |schema: &&'a Value| self.definitions.get(&ref_name(schema.get("$ref")?));
        std::iter::successors(Some(schema), next).last().unwrap_or(schema)
    }

    /// Adds a definition that a rule made from the part at `origin`. A rule may make the same definition twice.
    fn add(&mut self, source: &Source, name: &str, origin: &Origin, mut definition: Value) -> Result<()> {
        shape(source, name, origin, &mut definition, self)?;
        let existing = self.definitions.get(name);
        let help = if source.definitions.contains_key(name) {
            Some("give that definition another name under `names` in an overlay")
        } else if existing.is_some_and(|existing| *existing != definition) {
            Some("give one of the two a definition with a name of its own, in the schema or in a copy of it")
        } else {
            None
        };
        if let Some(help) = help {
            let what = format!("a part of this is to be called `{name}`, which is something else already");
            return origin.at(source, |at| Err(at.name(what, help)));
        }
        self.definitions.insert(name.to_owned(), definition);
        self.origins.entry(name.to_owned()).or_insert_with(|| origin.clone());
        Ok(())
    }
}

/// Runs all rules. Leaves out refused definitions.
pub(crate) fn normalise(source: &Source, refused: &mut Refused) -> Normalised {
    let mut out = Normalised::default();
    for (name, definition) in &source.definitions {
        if refused.contains(name) {
            continue;
        }
        if merge::reaches(source, definition, &|name| refused.contains(name)) {
            refused.leave_out(name);
            continue;
        }
        let result = one(source, name, definition.clone(), &mut out);
        refused.take(name, result);
    }
    out
}

fn one(source: &Source, name: &str, mut definition: Value, out: &mut Normalised) -> Result<()> {
    references::collapse(&mut definition);
    source.at(name, |at| merge::all(source, &mut definition, at))?;
    alternatives::unify(&mut definition);
    anything::spell_out(&mut definition);
    constraints::strip(&mut definition);
    defaults::tidy(&mut definition);
    if envelopes::is_any_message(&definition) {
        return Ok(());
    }
    if let Some(mut envelope) = source.at(name, |at| envelopes::recognise(name, &definition, at))? {
        if source.is_draft(name) {
            envelope.docs = Some(remark(envelope.docs.as_deref()));
        }
        out.envelopes.push(envelope);
        return Ok(());
    }
    types::spell_out(&mut definition);
    alternatives::flatten(&mut definition);
    enumeration::gather(&mut definition);
    shape(source, name, &Origin::of(name), &mut definition, out)?;
    out.definitions.insert(name.to_owned(), definition);
    Ok(())
}

/// Runs the rules that give names to the parts inside of a definition.
fn shape(source: &Source, name: &str, origin: &Origin, definition: &mut Value, out: &mut Normalised) -> Result<()> {
    enumeration::spell_out(definition);
    split::base_and_union(source, name, origin, definition, out)?;
    hoist::variants(source, name, origin, definition, out)?;
    parts::name(source, name, origin, definition, out)
}
