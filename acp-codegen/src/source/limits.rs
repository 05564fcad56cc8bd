//! The limits on the size of a schema. They are far above any published schema. With them, every stage ends within
//! seconds and needs at most a few gigabytes, also in a build without a user.

use serde_json::Value;

use crate::error::{Place, Result};

/// The limit of definitions in a schema with its overlays. Version 1 has 252, with its drafts.
const DEFINITIONS: usize = 20_000;
/// The limit of entries in an object or a list of a definition. The longest published one has 24.
const ENTRIES: usize = 1_000;
/// The limit of values in all definitions of a file. Version 1 has 7,000, with its drafts.
const VALUES: usize = 500_000;

/// The limit of nested objects and lists in a definition. Published ones reach 9. There is a limit because the stages
/// and the printer recurse, and a thread's stack may be as small as 2 MB.
const DEPTH: usize = 40;

/// Checks the definitions of one file. `defs` is their place, and `before` is the number of definitions in the other
/// files.
pub(super) fn check<'a>(
    definitions: impl ExactSizeIterator<Item = (&'a String, &'a Value)>,
    before: usize,
    defs: &Place<'_>,
) -> Result<()> {
    let count = before + definitions.len();
    if count > DEFINITIONS {
        return Err(defs.unsupported(
            format!("there are {count} definitions, and more than {DEFINITIONS} are not supported"),
            "split the schema, and generate a module of each part",
        ));
    }
    let mut left = VALUES;
    for (name, definition) in definitions {
        inside(definition, 1, &mut left, &defs.key(name))?;
    }
    Ok(())
}

fn inside(value: &Value, depth: usize, left: &mut usize, at: &Place<'_>) -> Result<()> {
    *left = left.checked_sub(1).ok_or_else(|| {
        at.unsupported(
            format!("with this there are more than {VALUES} values in the schema, and more are not supported"),
            "split the schema, and generate a module of each part",
        )
    })?;
    let count = match value {
        Value::Object(object) => object.len(),
        Value::Array(list) => list.len(),
        _ => return Ok(()),
    };
    if count > ENTRIES {
        return Err(at.unsupported(
            format!("there are {count} entries in this, and more than {ENTRIES} are not supported"),
            "divide it into several definitions",
        ));
    }
    if depth > DEPTH {
        return Err(at.unsupported(
            format!("this is nested more than {DEPTH} deep in its definition"),
            "give a part in the middle a definition of its own",
        ));
    }
    match value {
        Value::Object(object) => {
            object.iter().try_for_each(|(key, value)| inside(value, depth + 1, left, &at.key(key)))
        }
        Value::Array(list) => {
            list.iter().enumerate().try_for_each(|(index, value)| inside(value, depth + 1, left, &at.index(index)))
        }
        _ => Ok(()),
    }
}
