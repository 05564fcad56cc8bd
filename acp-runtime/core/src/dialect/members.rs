//! Members that the schema lacks, in messages of the agents that declare them.

use serde_json::{Map, Value, value::RawValue};

use crate::{
    schema::Member,
    wire::{Error, Result},
};

/// Members with their values. These are JSON already, so that an agent without members has no code for values.
pub(crate) type Members = [(Member, Box<RawValue>)];

/// Adds the members of this version to the object that ends `out`.
pub(super) fn append(out: &mut Vec<u8>, members: &Members, version: u16) -> serde_json::Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        out.pop();
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, member.name())?;
        out.push(b':');
        out.extend_from_slice(value.get().as_bytes());
        out.push(b'}');
    }
    Ok(())
}

/// An answer with the members of this version.
///
/// # Errors
///
/// The schema has a member of that name, or two of them have one name.
pub(super) fn extended(
    answer: &RawValue,
    members: [&Members; 2],
    names: &[&str],
    version: u16,
) -> Result<Box<RawValue>> {
    let mut written = answer.get().to_owned().into_bytes();
    let mut known: Vec<_> = names.to_vec();
    for (member, _) in members.iter().copied().flatten().filter(|(member, _)| member.is_of(version)) {
        check_new(member, known.contains(&member.name()))?;
        known.push(member.name());
    }
    for members in members {
        append(&mut written, members, version)?;
    }
    let written = String::from_utf8(written).map_err(|_| Error::internal_error("an answer is no text"))?;
    Ok(RawValue::from_string(written)?)
}

fn check_new(member: &Member, is_known: bool) -> Result<()> {
    if !is_known {
        return Ok(());
    }
    Err(Error::internal_error(format!(
        "the answer has a member `{}` already: the schema has it, or it was added twice",
        member.name()
    )))
}

/// Adds the members of this version to an object.
///
/// # Errors
///
/// The object has a member of that name.
pub(crate) fn add(object: &mut Map<String, Value>, members: &[(Member, Value)], version: u16) -> Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        check_new(member, object.insert(member.name().to_owned(), value.clone()).is_some())?;
    }
    Ok(())
}
