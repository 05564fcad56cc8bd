//! Reads the files and merges them. An overlay adds definitions, and entries that complete the schema.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::names::{Names, Taken};
use super::read::json as read;
use super::{Overlay, Source, drafts, limits};
use crate::error::{Place, Result};

pub(crate) fn load(schema: &Path, stable: Option<&Path>, overlays: &[PathBuf]) -> Result<Source> {
    let (root, mut definitions) = definitions_of(schema, read(schema)?)?;
    let drafts = match stable {
        None => HashSet::new(),
        Some(path) => drafts::mark(&mut definitions, &definitions_of(path, read(path)?)?.1),
    };
    let mut overlay = Overlay::default();
    let mut added_by = HashMap::new();
    let mut files = vec![schema.to_owned()];
    for path in overlays {
        let mut more = Overlay::parse(path, read(path)?)?;
        limits::check(more.definitions.iter(), definitions.len(), &Place::root(path).key("$defs"))?;
        for (name, definition) in std::mem::take(&mut more.definitions) {
            if definitions.contains_key(&name) {
                let root = Place::root(path);
                let defs = root.key("$defs");
                return Err(defs.key(&name).overlay(
                    format!("`{name}` is defined already"),
                    "an overlay adds definitions; give this one a name of its own",
                ));
            }
            added_by.insert(name.clone(), files.len());
            definitions.insert(name, definition);
        }
        overlay.extend(more);
        files.push(path.clone());
    }
    let names = Names::give(&mut definitions, &overlay).map_err(|Taken { name, given }| {
        let file = files.last().unwrap_or(&files[0]);
        Place::root(file).key("names").overlay(
            format!("`{name}` is to be called `{given}`, which is another definition"),
            "choose a name that nothing else has",
        )
    })?;
    let added_by = added_by.into_iter().map(|(name, file)| (names.rust(&name).to_owned(), file)).collect();
    let drafts = drafts.into_iter().map(|name| names.rust(&name).to_owned()).collect();
    Ok(Source { definitions, overlay, files, root, names, added_by, drafts })
}

/// The definitions, and the key under which they stand. Drafts of JSON Schema before 2019 use the key `definitions`.
fn definitions_of(path: &Path, mut root: Value) -> Result<(&'static str, Map<String, Value>)> {
    for key in ["$defs", "definitions"] {
        if let Some(Value::Object(definitions)) = root.get_mut(key).map(Value::take)
            && !definitions.is_empty()
        {
            limits::check(definitions.iter(), 0, &Place::root(path).key(key))?;
            return Ok((key, definitions));
        }
    }
    Err(Place::root(path).unsupported(
        "there is no `$defs` with definitions",
        "give a schema of JSON Schema 2020-12, as the ACP SDK packages ship it in `schema/`",
    ))
}
