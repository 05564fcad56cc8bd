//! What an overlay says of the drafts of one version: an entry for each method of agents, for each word of
//! `capabilities(..)`, and for each part of agents. An entry matches when the schema has the method, and the capability. The
//! capability of a part may be proposed: then no schema has it yet.

use serde::Deserialize;
use serde_json::Value;

use crate::builder::Builder;
use crate::error::{Error, Location, Result};
use crate::model::{Method, Model, Shape, Side, Type};

/// An entry of `drafts`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The name on the wire.
    #[serde(default)]
    method: Option<String>,
    /// The word in `capabilities(..)` of the agent's struct.
    #[serde(default)]
    word: Option<String>,
    /// The word of a part of agents, which the capability tells of.
    #[serde(default)]
    part: Option<String>,
    /// The place in the answer to `initialize`, from the outside in.
    #[serde(default)]
    pub(super) capability: Option<String>,
    /// What the method does with a session.
    #[serde(default)]
    pub(super) session: Session,
    /// The methods that such an agent must handle, too.
    #[serde(default)]
    pub(super) needs: Vec<String>,
    /// What the word means, for the reference.
    #[serde(default)]
    pub(super) line: String,
    /// What is refused without the method or the word.
    #[serde(default)]
    pub(super) refusals: Vec<Refusal>,
    #[serde(rename = "why")]
    _why: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Session {
    /// If the params name an active session, the handler may take it.
    #[default]
    Named,
    /// The session of the params ends, if it is active.
    Ends,
    /// A new session begins.
    Opens,
}

/// A part of the params that not every agent takes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refusal {
    /// The methods.
    pub(super) of: Vec<String>,
    /// The place in the params. `[]` stands behind the name of a list, for each of its values.
    pub(super) at: String,
    /// Only this value is refused.
    #[serde(default)]
    pub(super) is: Option<String>,
    /// Each value is refused that no such refusal of the place allows.
    #[serde(default)]
    pub(super) only: Option<String>,
}

/// A name that an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject<'e> {
    Method(&'e str),
    Word(&'e str),
    Part(&'e str),
}

impl Entry {
    pub(super) fn subject(&self) -> Option<Subject<'_>> {
        match (&self.method, &self.word, &self.part) {
            (Some(method), None, None) => Some(Subject::Method(method)),
            (None, Some(word), None) => Some(Subject::Word(word)),
            (None, None, Some(part)) => Some(Subject::Part(part)),
            _ => None,
        }
    }
}

/// The drafts of one version.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) model: Model,
    /// The entries that match, each with whether its capability is a boolean.
    pub(super) entries: Vec<(Entry, bool)>,
    /// The subjects of the others.
    pub(super) unmatched: Vec<String>,
}

impl Known {
    /// The methods of agents and clients that the stable schema lacks.
    pub(super) fn methods(&self) -> impl Iterator<Item = &Method> {
        self.model.methods.iter().filter(|method| method.draft && matches!(method.side, Side::Agent | Side::Client))
    }
}

pub(super) fn read(builder: &Builder) -> Result<Known> {
    let (model, values) = builder.drafts()?;
    let refused = |position: usize, what: String| {
        Error::Overlay {
        at: Location { file: builder.file().with_file_name("overlay.json"), pointer: format!("#/drafts/{position}") },
        what,
        help:
            "an entry has `method`, `word` or `part`, perhaps `capability`, `session`, `needs`, `line` and `refusals`, and `why`"
                .to_owned(),
    }
    };
    let (mut entries, mut unmatched) = (Vec::new(), Vec::new());
    for (position, value) in values.into_iter().enumerate() {
        let entry: Entry =
            serde_json::from_value(value).map_err(|error| refused(position, format!("this is no entry: {error}")))?;
        let subject = entry.subject();
        let subject =
            subject.ok_or_else(|| refused(position, "this is about no method, no word and no part".to_owned()))?;
        let is_there = match subject {
            Subject::Method(wire) => {
                model.methods.iter().any(|method| method.wire == wire && method.side == Side::Agent)
            }
            Subject::Word(_) | Subject::Part(_) => true,
        };
        let capability = entry.capability.as_deref().map(|path| capability(&model, path));
        match capability {
            _ if !is_there => unmatched.push(name(subject)),
            Some(None) if matches!(subject, Subject::Part(_)) => entries.push((entry, false)),
            Some(None) => unmatched.push(name(subject)),
            Some(Some(is_flag)) => entries.push((entry, is_flag)),
            None => entries.push((entry, false)),
        }
    }
    Ok(Known { model, entries, unmatched })
}

fn name(subject: Subject<'_>) -> String {
    let (Subject::Method(name) | Subject::Word(name) | Subject::Part(name)) = subject;
    name.to_owned()
}

/// Whether the capability is a boolean, and no object; `None` if the answer to `initialize` has no such place.
fn capability(model: &Model, path: &str) -> Option<bool> {
    let mut at = Type::Named("InitializeResponse".to_owned());
    for key in path.split('.') {
        let Shape::Struct(structure) = &model.get(model.resolved(&at).name()?)?.shape else { return None };
        at = structure.fields.iter().find(|field| field.wire == key)?.ty.clone();
    }
    Some(at == Type::Boolean)
}

/// The names of the parts of the params and of the answer, by which a renamed method is found.
pub(super) fn shape(model: &Model, method: &Method) -> Vec<Value> {
    let fields = |name: &String| {
        let Shape::Struct(structure) = &model.get(name)?.shape else { return None };
        Some(structure.fields.iter().map(|field| Value::from(format!("{}: {:?}", field.wire, field.ty))).collect())
    };
    [Some(&method.params), method.response.as_ref()].into_iter().flatten().filter_map(fields).collect()
}
