//! For an overlay on the published schema: finds the items that the overlay adds or changes. Only these are generated.
//! The module names all others from the crate that has them, so there is one `ContentBlock`, and not two.
//!
//! The stages make the module twice, without the author's overlays and with them. An item stays the crate's own if both
//! texts are equal, and if it names no item that differs. So this stage needs no rule for any kind of type.

use std::collections::{HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Item, ItemMod, Visibility};

use crate::emit::CratePath;

/// Items that belong together: a type with its impls.
pub(crate) struct Unit {
    place: Place,
    /// The names that other items may use.
    names: Vec<String>,
    items: Vec<Item>,
    text: String,
    /// The names that the items may use.
    uses: HashSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Module,
    /// The module `methods`.
    Methods,
}

/// The items of a module, as units.
#[derive(Default)]
pub(crate) struct Units {
    units: Vec<Unit>,
    /// The module `methods`, without its content.
    methods: Option<ItemMod>,
}

impl Units {
    /// Adds the items of one definition.
    pub(crate) fn add_one(&mut self, items: Vec<Item>) {
        self.units.push(Unit::new(Place::Module, items));
    }

    /// Adds items that belong to no definition. Each type has its impls behind it.
    pub(crate) fn add_each(&mut self, items: Vec<Item>) {
        self.split(Place::Module, items);
    }

    fn split(&mut self, place: Place, items: Vec<Item>) {
        let mut unit = Vec::new();
        for item in items {
            match item {
                Item::Mod(ItemMod {
                    ident,
                    content: Some((brace, content)),
                    attrs,
                    vis,
                    unsafety,
                    mod_token,
                    semi,
                }) if ident == "methods" => {
                    self.split(Place::Methods, content);
                    let content = Some((brace, Vec::new()));
                    self.methods = Some(ItemMod { ident, content, attrs, vis, unsafety, mod_token, semi });
                }
                item => {
                    if !matches!(item, Item::Impl(_)) && !unit.is_empty() {
                        self.units.push(Unit::new(place, std::mem::take(&mut unit)));
                    }
                    unit.push(item);
                }
            }
        }
        if !unit.is_empty() {
            self.units.push(Unit::new(place, unit));
        }
    }

    /// Gives the items of the module to `give`, where `base` is the module without the author's overlays, and `path` is
    /// the module that has its items. Returns the names of the items that the module takes from there.
    pub(crate) fn over(self, base: &Self, path: &TokenStream, give: &mut dyn FnMut(Item)) -> Vec<String> {
        let changed = self.changed(base);
        let [mut reused, mut markers] = [Vec::new(), Vec::new()];
        let [mut own, mut own_markers] = [Vec::new(), Vec::new()];
        for (unit, changed) in self.units.into_iter().zip(changed) {
            let (names, items) = match unit.place {
                Place::Module => (&mut reused, &mut own),
                Place::Methods => (&mut markers, &mut own_markers),
            };
            if changed { items.extend(unit.items) } else { names.extend(unit.names) }
        }
        give(import(&quote!(#path), &reused));
        own.into_iter().for_each(&mut *give);
        if let Some(mut methods) = self.methods {
            let content = methods.content.get_or_insert_default();
            content.1.push(import(&quote!(#path::methods), &markers));
            content.1.extend(own_markers);
            give(Item::Mod(methods));
        }
        reused.extend(markers.iter().map(|marker| format!("methods::{marker}")));
        reused
    }

    /// For each unit, whether it is new or differs, or names one that differs.
    fn changed(&self, base: &Self) -> Vec<bool> {
        let known: HashMap<_, _> = base.units.iter().map(|unit| ((unit.place, &unit.names), &unit.text)).collect();
        let is_known = |unit: &Unit| known.get(&(unit.place, &unit.names)) == Some(&&unit.text);
        let mut changed: Vec<bool> = self.units.iter().map(|unit| !is_known(unit)).collect();
        // A known item cannot mean a new one, although a variant of it may have the same name. So only the names that
        // the base has, too, lead further.
        let there: HashSet<_> = base.types().collect();
        loop {
            let different = self.units.iter().zip(&changed).filter(|(unit, changed)| **changed && unit.is_type());
            let different: HashSet<_> =
                different.flat_map(|(unit, _)| &unit.names).filter(|name| there.contains(name)).collect();
            let before = changed.iter().filter(|changed| **changed).count();
            for (unit, changed) in self.units.iter().zip(&mut changed) {
                *changed |= different.iter().any(|name| unit.uses.contains(*name));
            }
            if changed.iter().filter(|changed| **changed).count() == before {
                return changed;
            }
        }
    }

    fn types(&self) -> impl Iterator<Item = &String> {
        self.units.iter().filter(|unit| unit.is_type()).flat_map(|unit| &unit.names)
    }
}

impl Unit {
    fn new(place: Place, items: Vec<Item>) -> Self {
        let names = items.iter().filter_map(public_name).collect();
        let mut uses = HashSet::new();
        items.iter().for_each(|item| used(item, &mut uses));
        let text = items.iter().map(|item| item.to_token_stream().to_string()).collect();
        Self { place, names, items, text, uses }
    }

    /// Markers are in a module of their own, so no other item names them.
    fn is_type(&self) -> bool {
        self.place == Place::Module
    }
}

fn public_name(item: &Item) -> Option<String> {
    let (vis, ident) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        Item::Const(item) => (&item.vis, &item.ident),
        Item::Mod(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    matches!(vis, Visibility::Public(_)).then(|| ident.to_string())
}

/// Adds the names that an item may use. The names of variants are none.
fn used(item: &Item, uses: &mut HashSet<String>) {
    match item {
        Item::Enum(list) => {
            for variant in &list.variants {
                words(variant.fields.to_token_stream(), uses);
            }
        }
        other => words(other.to_token_stream(), uses),
    }
}

/// Adds the words that stand alone, or behind `super::` or `self::`. Behind any other `::`, they are names of another crate or of a
/// variant.
fn words(tokens: TokenStream, uses: &mut HashSet<String>) {
    let (mut in_path, mut is_super) = (false, false);
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                if !in_path || is_super {
                    uses.insert(word.to_string());
                }
                is_super = word == "super" || word == "self";
                in_path = false;
                continue;
            }
            TokenTree::Punct(mark) => {
                in_path = mark.as_char() == ':' && (in_path || mark.spacing() == proc_macro2::Spacing::Joint);
                is_super &= in_path;
            }
            TokenTree::Group(group) => {
                words(group.stream(), uses);
                (in_path, is_super) = (false, false);
            }
            TokenTree::Literal(_) => (in_path, is_super) = (false, false),
        }
    }
}

fn import(path: &TokenStream, names: &[String]) -> Item {
    let names = names.iter().map(|name| proc_macro2::Ident::new(name, proc_macro2::Span::call_site()));
    syn::parse_quote! {
        #[allow(unused_imports, reason = "a private module does not use every type of the protocol")]
        pub use #path::{#(#names),*};
    }
}

/// The items that refuse a crate whose types come from another schema.
pub(crate) fn same_schema(schema: &CratePath, drafts: bool, give: &mut dyn FnMut(Item)) {
    let version = env!("CARGO_PKG_VERSION");
    give(syn::parse_quote!(const _: () = #schema::support::of_version(#version);));
    if drafts {
        give(syn::parse_quote!(
            use #schema::support::drafts as _;
        ));
    }
}
