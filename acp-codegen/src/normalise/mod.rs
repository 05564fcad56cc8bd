//! Second stage: rewrites a checked schema, one rule a file, into the few forms that the model reads.
//!
//! After it a definition is one of: a struct, a union (`oneOf`), a list of constants, a text or a number, an alias, an
//! untyped value. Unions never sit inside structs any more, and inline variants have names of their own.

mod alternatives;
mod anything;
mod constraints;
mod defaults;
mod enumeration;
mod envelopes;
mod hoist;
mod references;
mod split;
mod walk;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::error::Result;
use crate::source::Source;
use crate::source::drafts::remark;

pub(crate) use envelopes::{Envelope, EnvelopeKind, Member};
pub(crate) use split::{Flattened, tag_of};

/// What the rules made of a schema.
#[derive(Debug, Default)]
pub(crate) struct Normalised {
    /// In schema order; what a rule added stands right after the definition that it came from.
    pub(crate) definitions: Map<String, Value>,
    /// Unions that were taken out of a struct, by the struct's name.
    pub(crate) flattened: HashMap<String, Flattened>,
    /// Definitions that are the inline fields of a union's variant.
    pub(crate) inline: HashSet<String>,
    /// For what a rule added, the definition in the files that it was made of.
    origins: HashMap<String, String>,
    /// The messages as a whole: which requests, responses and notifications a side sends.
    pub(crate) envelopes: Vec<Envelope>,
}

impl Normalised {
    /// The definition in the files that `name` was made of: itself, unless a rule added it.
    pub(crate) fn origin<'a>(&'a self, name: &'a str) -> &'a str {
        self.origins.get(name).map_or(name, String::as_str)
    }

    /// Adds a definition that a rule made of `origin`. Making the same one twice is fine.
    fn add(&mut self, source: &Source, name: &str, origin: &str, definition: Value) -> Result<()> {
        let existing = self.definitions.get(name);
        if source.definitions.contains_key(name) || existing.is_some_and(|existing| *existing != definition) {
            return source.at(origin, |at| {
                Err(at.name(
                    format!("a part of this is to be called `{name}`, which is something else already"),
                    "name the union inside differently, under `unions` in an overlay",
                ))
            });
        }
        self.definitions.insert(name.to_owned(), definition);
        self.origins.entry(name.to_owned()).or_insert_with(|| origin.to_owned());
        Ok(())
    }
}

pub(crate) fn normalise(source: &Source) -> Result<Normalised> {
    let mut out = Normalised::default();
    for (name, definition) in &source.definitions {
        let mut definition = definition.clone();
        references::collapse(&mut definition);
        alternatives::unify(&mut definition);
        anything::spell_out(&mut definition);
        enumeration::spell_out(&mut definition);
        constraints::strip(&mut definition);
        defaults::describe(&mut definition);
        if envelopes::is_any_message(&definition) {
            continue;
        }
        if let Some(mut envelope) = source.at(name, |at| envelopes::recognise(name, &definition, at))? {
            if source.is_draft(name) {
                envelope.docs = Some(remark(envelope.docs.as_deref()));
            }
            out.envelopes.push(envelope);
            continue;
        }
        split::base_and_union(source, name, &mut definition, &mut out)?;
        hoist::variants(source, name, name, &mut definition, &mut out)?;
        out.definitions.insert(name.clone(), definition);
    }
    Ok(out)
}
