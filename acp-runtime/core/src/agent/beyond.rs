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
    dialect::{Dialect, Members, added},
    schema::Member,
    values::AuthMethodId,
    wire::{Error, Result},
};

/// What the handler of `initialize` adds.
#[derive(Debug, Default)]
pub(super) struct Beyond {
    /// Of the answer itself.
    pub(super) members: Vec<(Member, Value)>,
    /// Of ways to authenticate.
    pub(super) of_ways: Vec<(AuthMethodId, Vec<(Member, Value)>)>,
}

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
pub(super) fn with_capabilities<A: Handlers>(dialect: &dyn Dialect, answer: &RawValue) -> Result<Box<RawValue>> {
    let mut object: Map<String, Value> = serde_json::from_str(answer.get())?;
    for Extension { name, capability, .. } in Block::all_extensions(A::BLOCKS) {
        let Some(word) = capability else { continue };
        let path = dialect.capabilities_of(name);
        let all = path.iter().try_fold(&mut object, |inside, key| {
            inside.entry(*key).or_insert_with(|| Value::Object(Map::new())).as_object_mut()
        });
        if let Some(all) = all {
            all.entry(*word).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    Ok(to_raw_value(&object)?)
}

impl Beyond {
    /// Adds what the handler says.
    ///
    /// # Errors
    ///
    /// The schema has a member of that name.
    pub(super) fn add(&self, dialect: &dyn Dialect, answer: Box<RawValue>) -> Result<Box<RawValue>> {
        let version = dialect.version();
        let answer = added(answer, &self.members, version)?;
        if self.of_ways.is_empty() {
            return Ok(answer);
        }
        let mut object: Map<String, Value> = serde_json::from_str(answer.get())?;
        let ways = object.get_mut("authMethods").and_then(Value::as_array_mut);
        for way in ways.into_iter().flatten().filter_map(Value::as_object_mut) {
            let id = way.get("id").and_then(Value::as_str).unwrap_or_default();
            let members = self.of_ways.iter().find(|(of, _)| of.as_ref() == id).map(|(_, members)| &**members);
            add_to(way, members.unwrap_or_default(), version)?;
        }
        Ok(to_raw_value(&object)?)
    }
}

fn add_to(way: &mut Map<String, Value>, members: &Members, version: u16) -> Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        if way.insert(member.name().to_owned(), value.clone()).is_some() {
            let name = member.name();
            return Err(Error::internal_error(format!("a way to authenticate has a member `{name}` already")));
        }
    }
    Ok(())
}
