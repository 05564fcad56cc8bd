//! What the answer of `initialize` has beyond the schema: the capabilities of an agent's own methods, and the members that its
//! handler adds.
//!
//! An agent without them has no code of this.

use acp_handlers::each;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    agent::model::{Block, Extension, Handlers},
    dialect::{Dialect, add},
    schema::Member,
    values::AuthMethodId,
    wire::{Error, Result},
};

/// What the handler of `initialize` adds.
pub(super) struct Beyond {
    /// Of the answer itself.
    pub(super) members: Vec<(Member, Value)>,
    /// Of ways to authenticate.
    pub(super) of_ways: Vec<(AuthMethodId, Vec<(Member, Value)>)>,
    add: Add,
}

type Add = fn(&Beyond, &dyn Dialect, &RawValue) -> Result<Box<RawValue>>;

/// Whether the schema does not know a capability of the agent's methods.
pub(super) const fn has_capabilities<A: Handlers>() -> bool {
    each!(block in A::BLOCKS, {
        each!(extension in block.extensions, {
            if extension.capability.is_some() {
                return true;
            }
        });
    });
    false
}

/// Adds the capabilities of the agent's own methods.
///
/// # Errors
///
/// The schema has a capability of that name.
pub(super) fn with_capabilities<A: Handlers>(dialect: &dyn Dialect, answer: &RawValue) -> Result<Box<RawValue>> {
    let mut object: Map<String, Value> = serde_json::from_str(answer.get())?;
    for Extension { name, capability, .. } in Block::all_extensions(A::BLOCKS) {
        let Some(word) = capability else { continue };
        let path = dialect.capabilities_of(name);
        let all = path.iter().try_fold(&mut object, |inside, key| {
            inside.entry(*key).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
        });
        if let Some(all) = all
            && all.insert((*word).to_owned(), Value::Object(Map::new())).is_some()
        {
            return Err(Error::internal_error(format!(
                "the capability `{word}` of the method `{name}` is there already: it is one of the schema, or of two methods"
            )));
        }
    }
    Ok(to_raw_value(&object)?)
}

impl Beyond {
    /// What the handler adds. Only an agent that adds something has the code for it.
    pub(super) fn of(handler: &mut Option<Self>) -> &mut Self {
        handler.get_or_insert_with(|| Self { members: Vec::new(), of_ways: Vec::new(), add: Self::add })
    }

    /// The answer, with what the handler adds.
    ///
    /// # Errors
    ///
    /// The schema has a member of that name.
    pub(super) fn added(&self, dialect: &dyn Dialect, answer: &RawValue) -> Result<Box<RawValue>> {
        (self.add)(self, dialect, answer)
    }

    fn add(&self, dialect: &dyn Dialect, answer: &RawValue) -> Result<Box<RawValue>> {
        let version = dialect.version();
        let mut object: Map<String, Value> = serde_json::from_str(answer.get())?;
        add(&mut object, &self.members, version)?;
        let ways = object.get_mut("authMethods").and_then(Value::as_array_mut);
        for way in ways.into_iter().flatten().filter_map(Value::as_object_mut) {
            // The name of the id is another one in each version.
            let id = way.get("id").or_else(|| way.get("methodId")).and_then(Value::as_str).unwrap_or_default();
            let members = self.of_ways.iter().find(|(of, _)| of.as_ref() == id).map(|(_, members)| &**members);
            let members = members.unwrap_or_default();
            // Since version 2, each way has a type. Other types than those of the schema are allowed.
            if members.iter().any(|(member, _)| member.name() == "type" && member.is_of(version)) {
                way.remove("type");
            }
            add(way, members, version)?;
        }
        Ok(to_raw_value(&object)?)
    }
}
