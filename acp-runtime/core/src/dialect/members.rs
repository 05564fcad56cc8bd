//! Members that the schema lacks, in messages of the agents that declare them.

use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

use crate::{
    schema::Member,
    wire::{Error, Result},
};

/// Members with their values.
pub(crate) type Members = [(Member, Value)];

/// Adds the members of this version to the object that ends `out`.
pub(super) fn append(out: &mut Vec<u8>, members: &Members, version: u16) -> serde_json::Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        out.pop();
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, member.name())?;
        out.push(b':');
        serde_json::to_writer(&mut *out, value)?;
        out.push(b'}');
    }
    Ok(())
}

/// Adds the members of this version to an answer.
///
/// # Errors
///
/// The answer has a member of that name.
pub(crate) fn added(answer: Box<RawValue>, members: &Members, version: u16) -> Result<Box<RawValue>> {
    if !members.iter().any(|(member, _)| member.is_of(version)) {
        return Ok(answer);
    }
    let mut object: serde_json::Map<String, Value> = serde_json::from_str(answer.get())?;
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        if object.insert(member.name().to_owned(), value.clone()).is_some() {
            return Err(Error::internal_error(format!(
                "the answer has a member `{}` already: the schema has it, or it was added twice",
                member.name()
            )));
        }
    }
    Ok(to_raw_value(&object)?)
}
