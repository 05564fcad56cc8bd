//! Structs and closed enums by typify: it maps the types of their fields, and writes the conversions of the enums.
//!
//! typify gets only definitions of these two shapes; everything else stands in as a name that it takes for granted.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quote::ToTokens;
use serde_json::{Map, Value, json};
use syn::Item;
use typify::{TypeSpace, TypeSpaceSettings};

use crate::error::{Error, Location, Result};
use crate::model::{Model, Shape};
use crate::normalise::Normalised;
use crate::post;
use crate::source::Source;

/// What typify made, sorted by the type it belongs to.
#[derive(Default)]
pub(crate) struct Typified {
    pub(crate) structs: BTreeMap<String, syn::ItemStruct>,
    pub(crate) enums: BTreeMap<String, syn::ItemEnum>,
    pub(crate) impls: BTreeMap<String, Vec<syn::ItemImpl>>,
    modules: Vec<syn::ItemMod>,
}

impl Typified {
    /// Modules that the items above refer to.
    pub(crate) fn support(&self) -> proc_macro2::TokenStream {
        self.modules.iter().map(ToTokens::to_token_stream).collect()
    }
}

pub(super) fn typify(source: &Source, normalised: &Normalised, model: &Model) -> Result<Typified> {
    let failed =
        |what: String| Error::Typify { at: Location { file: source.files[0].clone(), pointer: String::new() }, what };
    let root = json!({ "$defs": definitions(normalised, model) });
    let root = serde_json::from_value(root).map_err(|error| failed(error.to_string()))?;
    let settings = settings(model);
    // Our dialect check lets nothing through on which typify 0.8 is known to panic. Should something slip by, the
    // author of a schema must still get an error, and a build script must not end in a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        let mut space = TypeSpace::new(&settings);
        space.add_root_schema(root).map(|_| space.to_stream())
    }))
    .map_err(|panic| failed(panic_text(panic.as_ref())))?
    .map_err(|error| failed(error.to_string()))?;
    let file: syn::File = syn::parse2(tokens).map_err(|error| failed(error.to_string()))?;
    let typified = sort(file.items);
    complete(model, &typified).map_err(failed)?;
    Ok(typified)
}

fn settings(model: &Model) -> TypeSpaceSettings {
    let mut settings = TypeSpaceSettings::default();
    settings.with_map_type("::std::collections::BTreeMap");
    for definition in &model.definitions {
        if !is_typified(&definition.shape) {
            settings.with_replacement(&definition.name, &definition.name, std::iter::empty());
        }
    }
    settings
}

/// A struct without properties is not for typify, which would make a map of it.
fn is_typified(shape: &Shape) -> bool {
    match shape {
        Shape::Struct(structure) => !structure.fields.is_empty(),
        Shape::ClosedEnum(_) => true,
        _ => false,
    }
}

fn definitions(normalised: &Normalised, model: &Model) -> Map<String, Value> {
    let mut out = Map::new();
    for definition in &model.definitions {
        let schema = if is_typified(&definition.shape) {
            bare(&normalised.definitions[&definition.name])
        } else {
            json!({ "type": "object" })
        };
        out.insert(definition.name.clone(), schema);
    }
    out
}

/// What typify needs to see: docs and defaults are ours, a title would name a type, bounds would make it validate.
fn bare(schema: &Value) -> Value {
    const STRUCTURE: &[&str] = &["$ref", "type", "const", "format", "required"];
    let all = |list: &Value| list.as_array().into_iter().flatten().map(bare).collect();
    let each = |map: &Value| map.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), bare(v))).collect();
    let fields = schema.as_object().into_iter().flatten();
    let kept = fields.filter_map(|(key, value)| {
        let value = match key.as_str() {
            key if STRUCTURE.contains(&key) => value.clone(),
            "items" | "additionalProperties" => bare(value),
            "oneOf" => Value::Array(all(value)),
            "properties" => Value::Object(each(value)),
            _ => return None,
        };
        Some((key.clone(), value))
    });
    if schema.is_object() { Value::Object(kept.collect()) } else { schema.clone() }
}

fn sort(items: Vec<Item>) -> Typified {
    let mut out = Typified::default();
    for item in items {
        match item {
            Item::Struct(item) => drop(out.structs.insert(item.ident.to_string(), item)),
            Item::Enum(item) => drop(out.enums.insert(item.ident.to_string(), item)),
            Item::Impl(item) => out.impls.entry(self_name(&item)).or_default().push(item),
            Item::Mod(item) => out.modules.push(item),
            _ => {}
        }
    }
    out
}

fn self_name(item: &syn::ItemImpl) -> String {
    match item.self_ty.as_ref() {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// typify must have made exactly what it was asked for: another name, or another type, would be silently wrong.
fn complete(model: &Model, typified: &Typified) -> Result<(), String> {
    for definition in &model.definitions {
        let made = match &definition.shape {
            Shape::Struct(structure) if !structure.fields.is_empty() => {
                let item = typified.structs.get(&definition.name);
                let found = |item: &syn::ItemStruct, wire: &str| post::field_of(item, wire).is_some();
                item.is_some_and(|item| structure.fields.iter().all(|field| found(item, &field.wire)))
            }
            Shape::ClosedEnum(words) => {
                let item = typified.enums.get(&definition.name);
                item.is_some_and(|item| item.variants.len() == words.words.len())
            }
            _ => true,
        };
        if !made {
            return Err(format!("`{}` did not become what it should", definition.name));
        }
    }
    let known = |name: &&String| model.get(name).is_none_or(|definition| !is_typified(&definition.shape));
    match typified.structs.keys().chain(typified.enums.keys()).find(known) {
        Some(extra) => Err(format!("an unexpected type `{extra}` was made")),
        None => Ok(()),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}
