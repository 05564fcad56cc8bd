//! Options, as version 2 names their parts.
//!
//! See [Session config options](https://agentclientprotocol.com/protocol/v2/session-config-options).

use serde::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeSeq},
};
use serde_json::value::RawValue;

use crate::{
    config::{
        request::Type,
        shown::{FullState, ShownKind, ShownOption, WithGroupIds},
    },
    dialect::members::append,
    wire::{self, Error},
};

/// Writes the last members of an object: all options, and what the author adds to them. Ends the object, which begins at `start`.
pub(super) fn full_state(out: &mut Vec<u8>, start: usize, state: &FullState<'_>) -> serde_json::Result<()> {
    out.extend_from_slice(br#""configOptions":"#);
    serde_json::to_writer(&mut *out, &Options(&state.options))?;
    out.push(b'}');
    match &state.members {
        None => Ok(()),
        Some(members) => append(out, start, members, super::VERSION),
    }
}

/// All options.
pub(super) struct Options<'a, 'c>(pub(super) &'a [ShownOption<'c>]);

impl Serialize for Options<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut options = serializer.serialize_seq(Some(self.0.len()))?;
        for option in self.0 {
            options.serialize_element(&Named(option))?;
        }
        options.end()
    }
}

/// One option. It is written member by member, because each answer to a change has all options.
struct Named<'a, 'c>(&'a ShownOption<'c>);

impl Serialize for Named<'_, '_> {
    // Inlined into the loop, each write of a few bytes would be a call of its own.
    #[inline(never)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ShownOption { id, name, description, category, kind } = self.0;
        let mut option = serializer.serialize_map(None)?;
        option.serialize_entry("configId", id)?;
        option.serialize_entry("name", name)?;
        if let Some(description) = description {
            option.serialize_entry("description", description)?;
        }
        if let Some(category) = category {
            option.serialize_entry("category", category)?;
        }
        match kind {
            ShownKind::Select { current_value, options } => {
                option.serialize_entry("type", "select")?;
                option.serialize_entry("currentValue", current_value)?;
                option.serialize_entry("options", &WithGroupIds(options))?;
            }
            ShownKind::Boolean { current_value } => {
                option.serialize_entry("type", "boolean")?;
                option.serialize_entry("currentValue", current_value)?;
            }
        }
        option.end()
    }
}

/// Refuses a value of a change whose type is missing, or does not fit.
pub(super) fn check_type(kind: Type, value: &RawValue) -> wire::Result<()> {
    Err(Error::invalid_params(match kind {
        Type::Boolean => return Ok(()),
        Type::Id if value.get().starts_with('"') => return Ok(()),
        Type::Id => "`value` must be the id of a value when `type` is `id`",
        Type::Missing => "`type` is missing: it is `id`, with the id of a value, or `boolean`, with `true` or `false`",
        Type::Other => "`type` must be `id` or `boolean`: the agent has no other types of values",
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::request::SetOption;

    #[test]
    fn a_value_has_its_type() {
        let cases = [
            (r#""type":"id","value":"v""#, None),
            (r#""type":"i\u0064","value":"v""#, None),
            (r#""type":"boolean","value":true"#, None),
            (r#""value":"v""#, Some("`type` is missing: it is `id`")),
            (r#""type":null,"value":true"#, Some("`type` is missing")),
            (r#""type":"id","value":true"#, Some("`value` must be the id of a value")),
            (r#""type":"boolean","value":"true""#, Some("`value` must be `true` or `false`")),
            (r#""type":"_text","value":"v""#, Some("`type` must be `id` or `boolean`")),
            (r#""type":5,"value":"v""#, Some("`type` must be `id` or `boolean`")),
        ];
        for (rest, refusal) in cases {
            let raw: Box<RawValue> =
                RawValue::from_string(format!(r#"{{"sessionId":"s","configId":"c",{rest}}}"#)).unwrap();
            match (SetOption::parse(&raw, check_type), refusal) {
                (Ok(_), None) => {}
                (Err(error), Some(refusal)) => assert!(error.message().contains(refusal), "{rest} gave {error}"),
                (read, _) => panic!("{rest} gave {read:?}"),
            }
        }
    }
}
