//! Structs and closed enums by typify: it maps the types of their fields, and writes the conversions of the enums.
//!
//! typify gets only definitions of these two shapes; everything else stands in as a name that it takes for granted.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use serde_json::{Map, Value, json};
use syn::Item;
use typify::{TypeSpace, TypeSpaceSettings};

use crate::error::{Error, Location, Result};
use crate::model::{Definition, Model, Shape, ref_name};
use crate::normalise::Normalised;
use crate::post;
use crate::source::Source;

/// What typify made, sorted by the type it belongs to.
#[derive(Default)]
pub(crate) struct Typified {
    pub(crate) structs: HashMap<String, syn::ItemStruct>,
    pub(crate) enums: HashMap<String, syn::ItemEnum>,
    pub(crate) impls: HashMap<String, Vec<syn::ItemImpl>>,
    modules: Vec<syn::ItemMod>,
}

impl Typified {
    /// Adds the types of another part.
    pub(crate) fn extend(&mut self, part: Self) {
        let Self { structs, enums, impls, modules } = part;
        self.structs.extend(structs);
        self.enums.extend(enums);
        self.impls.extend(impls);
        let is_new = |module: &syn::ItemMod| self.modules.iter().all(|known| known.ident != module.ident);
        let modules: Vec<_> = modules.into_iter().filter(is_new).collect();
        self.modules.extend(modules);
    }

    /// Modules that the items above refer to.
    pub(crate) fn support(&self) -> TokenStream {
        self.modules.iter().map(ToTokens::to_token_stream).collect()
    }

    /// Keeps what is used, and drops the rest at once: of structs only the fields, for each of which typify writes much.
    fn take(&mut self, item: Item) {
        match item {
            Item::Struct(mut item) => {
                item.attrs.clear();
                drop(self.structs.insert(item.ident.to_string(), item));
            }
            Item::Enum(mut item) => {
                item.attrs.retain(|attribute| attribute.path().is_ident("derive"));
                drop(self.enums.insert(item.ident.to_string(), item));
            }
            Item::Impl(item) => {
                let name = self_name(&item);
                if self.enums.contains_key(&name) {
                    self.impls.entry(name).or_default().push(item);
                }
            }
            Item::Mod(item) => self.modules.push(item),
            _ => {}
        }
    }
}

/// How many definitions typify gets at once. What it takes for a type is many times what is left of it in the end.
pub(super) const AT_ONCE: usize = 200;

/// Makes the types of a part of the definitions. Others that they refer to are names. A part has to hold circles whole, as
/// typify puts a box into them.
pub(super) fn typify(
    source: &Source,
    normalised: &Normalised,
    model: &Model,
    part: &[&Definition],
) -> Result<Typified> {
    let failed =
        |what: String| Error::Typify { at: Location { file: source.files[0].clone(), pointer: String::new() }, what };
    let (schemas, settings) = request(normalised, part);
    let root = serde_json::from_value(json!({ "$defs": schemas })).map_err(|error| failed(error.to_string()))?;
    // Our dialect check lets nothing through on which typify 0.8 is known to panic. Should something slip by, the
    // author of a schema must still get an error, and a build script must not end in a backtrace.
    let tokens = catch_unwind(AssertUnwindSafe(|| {
        let mut space = TypeSpace::new(&settings);
        space.add_root_schema(root).map(|_| space.to_stream())
    }))
    .map_err(|panic| failed(panic_text(panic.as_ref())))?
    .map_err(|error| failed(error.to_string()))?;
    let typified = sort(tokens).map_err(|error| failed(error.to_string()))?;
    complete(model, part, &typified).map_err(failed)?;
    Ok(typified)
}

/// The schemas of a part, and stand-ins for what they refer to.
fn request(normalised: &Normalised, part: &[&Definition]) -> (Map<String, Value>, TypeSpaceSettings) {
    let mut settings = TypeSpaceSettings::default();
    settings.with_map_type("::std::collections::BTreeMap");
    let typified = part.iter().filter(|definition| is_typified(&definition.shape));
    let mut schemas: Map<String, Value> =
        typified.map(|definition| (definition.name.clone(), bare(&normalised.definitions[&definition.name]))).collect();
    let mut named = Map::new();
    schemas.values().for_each(|schema| references(schema, &mut named));
    for (name, stand_in) in named {
        if !schemas.contains_key(&name) {
            settings.with_replacement(&name, &name, std::iter::empty());
            schemas.insert(name, stand_in);
        }
    }
    (schemas, settings)
}

/// What a schema refers to, each with what stands in for it.
fn references(schema: &Value, out: &mut Map<String, Value>) {
    match schema {
        Value::Object(object) => {
            // A property may be called so.
            if let Some(reference) = object.get("$ref").filter(|reference| reference.is_string()) {
                out.insert(ref_name(reference), json!({ "type": "object" }));
            }
            object.values().for_each(|inner| references(inner, out));
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, out)),
        _ => {}
    }
}

/// A struct without properties is not for typify, which would make a map of it.
fn is_typified(shape: &Shape) -> bool {
    match shape {
        Shape::Struct(structure) => !structure.fields.is_empty(),
        Shape::ClosedEnum(_) => true,
        _ => false,
    }
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

/// Reads one item after the other: all at once would be in memory as tokens, as a buffer of these, and as items.
fn sort(tokens: TokenStream) -> syn::Result<Typified> {
    let mut out = Typified::default();
    let mut item = Vec::new();
    for token in tokens {
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        item.push(token);
        if ends {
            out.take(syn::parse2(item.drain(..).collect())?);
        }
    }
    if !item.is_empty() {
        out.take(syn::parse2(item.into_iter().collect())?);
    }
    Ok(out)
}

fn self_name(item: &syn::ItemImpl) -> String {
    match item.self_ty.as_ref() {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    }
}

/// typify must have made exactly what it was asked for: another name, or another type, would be silently wrong.
fn complete(model: &Model, part: &[&Definition], typified: &Typified) -> Result<(), String> {
    for definition in part {
        let made = match &definition.shape {
            Shape::Struct(structure) if !structure.fields.is_empty() => {
                let item = typified.structs.get(&definition.name);
                item.map(post::by_wire)
                    .is_some_and(|made| structure.fields.iter().all(|field| made.contains_key(&field.wire)))
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
    match typified.structs.keys().chain(typified.enums.keys()).filter(known).min() {
        Some(extra) => Err(format!("an unexpected type `{extra}` was made")),
        None => Ok(()),
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message").to_owned()
}
