//! Members that the schema lacks, in messages of the agents that declare them.

use serde_json::{Map, Value, value::RawValue};

use crate::{
    schema::Member,
    wire::{Error, Result},
};

/// Members with their values. These are JSON already, so that an agent without members has no code for values.
pub(crate) type Members = [(Member, Box<RawValue>)];

/// Adds the members of this version to the object that ends `out` and begins at `start`.
///
/// # Errors
///
/// The object has a member of that name.
pub(super) fn append(out: &mut Vec<u8>, start: usize, members: &Members, version: u16) -> serde_json::Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        if has(&out[start..], member.name()) {
            return Err(serde::ser::Error::custom(twice(member)));
        }
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

/// Whether an object that the runtime has written has a member of this name.
fn has(object: &[u8], name: &str) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = object.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let start = at;
                while object.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if object[at] == b'\\' { 2 } else { 1 };
                }
                let is_name = depth == 1 && object.get(at + 1) == Some(&b':');
                if is_name && object.get(start..at) == Some(name.as_bytes()) {
                    return true;
                }
                at += 1;
            }
            _ => {}
        }
    }
    false
}

fn twice(member: &Member) -> String {
    let name = member.name();
    format!("the message has a member `{name}` already: the schema has it, or it was added twice")
}

/// An answer with the members of this version.
///
/// # Errors
///
/// The schema has a member of that name, or two of them have one name.
pub(super) fn extended(answer: &RawValue, members: [&Members; 2], version: u16) -> Result<Box<RawValue>> {
    let mut written = answer.get().to_owned().into_bytes();
    for members in members {
        append(&mut written, 0, members, version).map_err(|error| Error::internal_error(error.to_string()))?;
    }
    let written = String::from_utf8(written).map_err(|_| Error::internal_error("an answer is no text"))?;
    Ok(RawValue::from_string(written)?)
}

/// Adds the members of this version to an object.
///
/// # Errors
///
/// The object has a member of that name.
pub(crate) fn add(object: &mut Map<String, Value>, members: &[(Member, Value)], version: u16) -> Result<()> {
    for (member, value) in members.iter().filter(|(member, _)| member.is_of(version)) {
        if object.insert(member.name().to_owned(), value.clone()).is_some() {
            return Err(Error::internal_error(twice(member)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_the_object_itself_is_found_and_no_other() {
        let object = br#"{"a":{"b":"c","\\":1},"d\"":"e:","f":[{"g":1},"h"],"i":"a"}"#;
        for (name, is_there) in
            [("a", true), ("f", true), ("i", true), ("b", false), ("g", false), ("h", false), ("e:", false)]
        {
            assert_eq!(has(object, name), is_there, "{name}");
        }
        assert!(!has(b"{}", "a"));
    }
}
