//! Reads the files and merges them. An overlay adds definitions, and entries that complete the schema.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::names::{Names, Taken};
use super::nearest::advice;
use super::overlay::Property;
use super::{Added, Input, Overlay, Source, drafts, limits};
use crate::error::{Place, Result};

pub(crate) fn load(schema: &Input, stable: Option<&Input>, overlays: &[Input]) -> Result<Source> {
    let (root, mut definitions) = definitions_of(schema.path(), schema.read()?)?;
    let drafts = match stable {
        None => HashSet::new(),
        Some(stable) => drafts::mark(&mut definitions, &definitions_of(stable.path(), stable.read()?)?.1),
    };
    let mut overlay = Overlay::default();
    let mut added_by = HashMap::new();
    let mut properties = Vec::new();
    let mut files = vec![schema.path().to_owned()];
    for overlay_file in overlays {
        let path = overlay_file.path();
        let mut more = Overlay::parse(path, overlay_file.read()?)?;
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
        let added = std::mem::take(&mut more.properties).into_iter().enumerate();
        properties.extend(added.map(|(entry, property)| (Added { file: files.len(), entry }, property)));
        overlay.extend(more);
        files.push(path.to_owned());
    }
    let names = Names::give(&mut definitions, &overlay).map_err(|Taken { name, given }| {
        let file = files.last().unwrap_or(&files[0]);
        Place::root(file).key("names").overlay(
            format!("`{name}` is to be called `{given}`, which is another definition"),
            "choose a name that nothing else has",
        )
    })?;
    let mut added_properties = HashMap::new();
    for (added, property) in properties {
        let file = &files[added.file];
        let root = Place::root(file);
        let list = root.key("properties");
        let key = add(property, &mut definitions, &names, &list.index(added.entry))?;
        added_properties.insert(key, added);
    }
    let added_by = added_by.into_iter().map(|(name, file)| (names.rust(&name).to_owned(), file)).collect();
    let drafts = drafts.into_iter().map(|name| names.rust(&name).to_owned()).collect();
    Ok(Source { definitions, overlay, files, root, names, added_by, added_properties, drafts })
}

/// Adds a property to a definition. Returns the names of both.
fn add(
    property: Property,
    definitions: &mut Map<String, Value>,
    names: &Names,
    at: &Place<'_>,
) -> Result<(String, String)> {
    let Property { field, mut schema, required, .. } = property;
    let place = at.key("field");
    let Some((of, wire)) = field.split_once('.').filter(|(_, wire)| !wire.is_empty()) else {
        return Err(
            place.overlay(format!("`{field}` is no property of a definition"), "write it as `Definition.property`")
        );
    };
    let Some(definition) = definitions.get_mut(of) else {
        let near = advice(of, &definitions.keys().map(String::as_str).collect::<Vec<_>>());
        let help = if near.starts_with("did") { near } else { "name a definition of the schema".to_owned() };
        return Err(place.overlay(format!("there is no definition `{of}`"), help));
    };
    let is_object =
        definition.get("type").is_some_and(|kind| kind == "object") || definition.get("properties").is_some();
    let Some(definition) = definition.as_object_mut().filter(|_| is_object) else {
        return Err(place.overlay(
            format!("`{of}` is no object with properties"),
            "add the property to one of the definitions that it refers to",
        ));
    };
    limits::check([(&field, &schema)].into_iter(), 0, at)?;
    names.follow(&mut schema);
    let properties = definition.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if let Some(properties) = properties.as_object_mut() {
        if properties.contains_key(wire) {
            return Err(
                place.overlay(format!("`{of}` has the property `{wire}` already"), "give this one another name")
            );
        }
        properties.insert(wire.to_owned(), schema);
    }
    if required
        && let Some(list) = definition.entry("required").or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
    {
        list.push(Value::from(wire));
    }
    Ok((of.to_owned(), wire.to_owned()))
}

/// The keys under which definitions stand. Drafts of JSON Schema before 2019 use the key `definitions`.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// The definitions, and the key under which they stand.
fn definitions_of(path: &Path, mut root: Value) -> Result<(&'static str, Map<String, Value>)> {
    for key in DEFINITIONS {
        if let Some(Value::Object(definitions)) = root.get_mut(key).map(Value::take)
            && !definitions.is_empty()
        {
            let root = Place::root(path);
            let place = root.key(key);
            limits::check(definitions.iter(), 0, &place)?;
            definitions.iter().try_for_each(|(name, value)| leads_to(key, value, &place.key(name)))?;
            return Ok((key, definitions));
        }
    }
    Err(Place::root(path).unsupported(
        "there is no `$defs` with definitions",
        "give a schema of JSON Schema 2020-12, as the ACP SDK packages ship it in `schema/`",
    ))
}

/// Refuses references to the definitions of another draft of JSON Schema: nothing stands where they lead.
fn leads_to(key: &str, value: &Value, at: &Place<'_>) -> Result<()> {
    match value {
        Value::Object(object) => object.iter().try_for_each(|(word, inner)| {
            let begins = |with: &&str| inner.as_str().is_some_and(|text| text.starts_with(&format!("#/{with}/")));
            match DEFINITIONS.iter().filter(|other| **other != key && word == "$ref").find(|other| begins(other)) {
                Some(other) => Err(at.key(word).reference(
                    format!("this `$ref` leads to `{other}`, and the definitions stand under `{key}`"),
                    format!("refer to `#/{key}/NAME`, or call the definitions `{other}`"),
                )),
                None => leads_to(key, inner, &at.key(word)),
            }
        }),
        Value::Array(list) => {
            list.iter().enumerate().try_for_each(|(index, inner)| leads_to(key, inner, &at.index(index)))
        }
        _ => Ok(()),
    }
}
