//! typify generates Rust from any JSON schema, and is the reference of this test. For each plain struct of the
//! published schemas, it must make the same fields with the same types as we do. The file lists the intended
//! differences, and there must be no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::Builder;
use quote::ToTokens as _;
use serde_json::{Map, Value, json};
use syn::{GenericArgument, Item, ItemStruct, PathArguments, Type};
use typify::{TypeSpace, TypeSpaceSettings};

/// The fields of each struct, by their keys in JSON.
type Structs = BTreeMap<String, BTreeMap<String, Type>>;

#[test]
fn typify_makes_the_same_of_plain_structs() {
    for (version, least) in [("v1", 150), ("v2", 150)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
        let schema = folder.join("schema.unstable.json");
        let overlay = folder.join("overlay.json");
        let plain = plain(&schema);
        let (theirs, ours) = (theirs(&plain), ours(&schema, &overlay));
        assert!(theirs.len() >= least, "{version}: only {} structs are compared", theirs.len());
        let (paths, names) = (paths(&overlay), names(&overlay));
        let mut wrong = Vec::new();
        for (name, fields) in &theirs {
            let made = &ours[names.get(name).unwrap_or(name)];
            let keys = |fields: &BTreeMap<String, Type>| fields.keys().cloned().collect::<BTreeSet<_>>();
            if keys(fields) != keys(made) {
                wrong.push(format!("{name} has {:?}, and typify's {:?}", keys(made), keys(fields)));
                continue;
            }
            let required = plain[name]["required"].as_array().cloned().unwrap_or_default();
            for (key, theirs) in fields {
                let place = format!("{name}.{key}");
                let expected = match inside(theirs, &["Option"]).unwrap_or(theirs) {
                    // The protocol's metadata has a type of its own.
                    _ if key == "_meta" => "::acp_runtime::schema::Meta".to_owned(),
                    held if paths.contains(&place) => {
                        text(held).replace("::std::string::String", "::std::path::PathBuf")
                    }
                    held => names.get(&text(held)).cloned().unwrap_or_else(|| text(held)),
                };
                let ours = &made[key];
                let held = inside(ours, &["Option", "MaybeUndefined"]).unwrap_or(ours);
                // An optional field is an `Option` here, except if its type has a value for absence.
                let same_presence = !required.contains(&json!(key)) || is_option(ours) == is_option(theirs);
                if text(held) != expected || !same_presence {
                    wrong.push(format!("{place} is `{}`, and typify's `{}`", text(ours), text(theirs)));
                }
            }
        }
        assert!(wrong.is_empty(), "{version}:\n{}", wrong.join("\n"));
    }
}

/// The definitions that have another name in Rust.
fn names(overlay: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(overlay).expect("the overlay is there");
    let overlay: Value = serde_json::from_str(&text).expect("the overlay is JSON");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let entries = overlay["names"].as_array().into_iter().flatten();
    entries.map(|entry| (text(&entry["type"]), text(&entry["name"]))).collect()
}

/// The structs for typify, without the parts for which typify would make more code: bounds, formats of texts, defaults.
fn plain(schema: &Path) -> Map<String, Value> {
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).expect("it is there")).expect("JSON");
    let definitions = schema["$defs"].as_object().expect("definitions").iter();
    let structs = definitions.filter(|(_, definition)| {
        let only = ["oneOf", "anyOf", "allOf", "additionalProperties", "x-docs-ignore"]
            .iter()
            .all(|key| definition.get(key).is_none());
        only && definition["properties"].as_object().is_some_and(|properties| !properties.is_empty())
    });
    let bare = structs.filter_map(|(name, definition)| {
        let properties = definition["properties"].as_object()?.iter();
        let properties: Map<String, Value> =
            properties.map(|(key, property)| Some((key.clone(), bare(property)?))).collect::<Option<_>>()?;
        let required = definition.get("required").cloned().unwrap_or_else(|| json!([]));
        Some((name.clone(), json!({ "type": "object", "properties": properties, "required": required })))
    });
    bare.collect()
}

/// The schema of a property, of items or of values; `None` if it has more than one type.
fn bare(schema: &Value) -> Option<Value> {
    let object = schema.as_object()?;
    if let Some(reference) = object.get("$ref").or_else(|| object.get("allOf")?.get(0)?.get("$ref")) {
        return Some(json!({ "$ref": reference }));
    }
    if let Some(branches) = object.get("anyOf").or_else(|| object.get("oneOf")) {
        let is_null = |branch: &&Value| branch["type"] == "null";
        let [other] = branches.as_array()?.iter().filter(|branch| !is_null(branch)).collect::<Vec<_>>()[..] else {
            return None;
        };
        return Some(json!({ "oneOf": [bare(other)?, { "type": "null" }] }));
    }
    if ["const", "enum", "properties"].iter().any(|key| object.contains_key(*key)) {
        return None;
    }
    let mut out = Map::new();
    if let Some(kind) = object.get("type") {
        out.insert("type".to_owned(), kind.clone());
        if let Some(format) = object.get("format").filter(|_| !kind.to_string().contains("string")) {
            out.insert("format".to_owned(), format.clone());
        }
    }
    for key in ["items", "additionalProperties"] {
        match object.get(key) {
            Some(inner) if inner.is_object() => drop(out.insert(key.to_owned(), bare(inner)?)),
            Some(inner) => drop(out.insert(key.to_owned(), inner.clone())),
            None => {}
        }
    }
    Some(Value::Object(out))
}

fn theirs(plain: &Map<String, Value>) -> Structs {
    let mut settings = TypeSpaceSettings::default();
    settings.with_map_type("::std::collections::BTreeMap");
    let mut schemas = plain.clone();
    let mut named = BTreeSet::new();
    plain.values().for_each(|schema| references(schema, &mut named));
    // For typify, a type that is not a plain struct is only a name.
    for name in named.into_iter().filter(|name| !plain.contains_key(name)) {
        settings.with_replacement(&name, &name, std::iter::empty());
        schemas.insert(name, json!({ "type": "object" }));
    }
    let mut space = TypeSpace::new(&settings);
    let root = serde_json::from_value(json!({ "$defs": schemas })).expect("a schema");
    space.add_root_schema(root).expect("typify takes plain structs");
    let made = structs(syn::parse2(space.to_stream()).expect("Rust"));
    made.into_iter().filter(|(name, _)| plain.contains_key(name)).collect()
}

fn references(schema: &Value, out: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            let reference = object.get("$ref").and_then(Value::as_str);
            out.extend(reference.and_then(|reference| reference.strip_prefix("#/$defs/")).map(str::to_owned));
            object.values().for_each(|inner| references(inner, out));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, out)),
        _ => {}
    }
}

fn ours(schema: &Path, overlay: &Path) -> Structs {
    let builder = Builder::new().schema(schema).overlay(overlay);
    let generated = builder.generate().unwrap_or_else(|error| panic!("{error}"));
    structs(syn::parse_file(&generated.rust).expect("Rust"))
}

/// The fields, as `Type.field`, that the overlay marks as paths.
fn paths(overlay: &PathBuf) -> BTreeSet<String> {
    let overlay: Value = serde_json::from_str(&fs::read_to_string(overlay).expect("it is there")).expect("JSON");
    let entries = overlay["paths"].as_array().into_iter().flatten();
    entries.map(|entry| entry["field"].as_str().expect("text").to_owned()).collect()
}

fn structs(file: syn::File) -> Structs {
    let items = file.items.into_iter().filter_map(|item| match item {
        Item::Struct(item) => Some((item.ident.to_string(), fields(item))),
        _ => None,
    });
    items.collect()
}

fn fields(item: ItemStruct) -> BTreeMap<String, Type> {
    let key = |field: &syn::Field| {
        let mut renamed = None;
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            let _ = attribute.parse_nested_meta(|meta| {
                if meta.input.peek(syn::Token![=]) {
                    let text: syn::LitStr = meta.value()?.parse()?;
                    renamed = meta.path.is_ident("rename").then(|| text.value()).or(renamed.take());
                }
                Ok(())
            });
        }
        renamed.or_else(|| field.ident.as_ref().map(ToString::to_string)).unwrap_or_default()
    };
    item.fields.into_iter().map(|field| (key(&field), field.ty)).collect()
}

/// The argument of a type with one of these names.
fn inside<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| names.iter().any(|name| last.ident == name))?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

fn is_option(ty: &Type) -> bool {
    inside(ty, &["Option"]).is_some()
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "").replace(",>", ">")
}
