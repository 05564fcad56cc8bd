//! The public items of a crate, read from its sources: the names that a user of the crate can write. Items that a macro makes are
//! seen only where a `pub use` names them.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, UseTree, Visibility};

/// The names of a path, from the root of the crate on.
type Names = Vec<String>;

/// A module, public or not.
#[derive(Default)]
struct Module {
    /// The public items, each with whether the docs show it.
    items: BTreeMap<String, bool>,
    modules: BTreeMap<String, Child>,
    uses: Vec<Use>,
}

struct Child {
    /// Public, and shown by the docs.
    is_shown: bool,
    /// Read when a name leads there: most files of a crate have nothing public.
    module: LazyCell<Module, Box<dyn FnOnce() -> Module>>,
}

/// A `pub use` of a path. A glob gives no name.
struct Use {
    path: Names,
    name: Option<String>,
}

/// What a path leads to.
enum Target<'m> {
    Item { is_shown: bool },
    Module(&'m Module, Names),
    OfAnotherCrate,
}

/// The public items of the crate with this `lib.rs`, by their paths, such as `transport::Limits`. Of another crate's module that
/// it hands on, this is the name of the module alone.
pub(crate) fn of(lib: &Path) -> BTreeSet<String> {
    let root = Module::of_file(lib, &folder_of(lib));
    let mut found = BTreeSet::new();
    root.list(&root, &Names::new(), &Names::new(), &mut found);
    found
}

impl Module {
    /// The modules of this file have theirs in `folder`.
    fn of_file(file: &Path, folder: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self::of(&parsed.items, &folder_of(file), folder)
    }

    fn of(items: &[Item], beside: &Path, folder: &Path) -> Self {
        let mut module = Self::default();
        for item in items {
            module.add(item, beside, folder);
        }
        module
    }

    fn add(&mut self, item: &Item, beside: &Path, folder: &Path) {
        let (attributes, is_public, name) = match item {
            Item::Mod(item) => return self.add_module(item, beside, folder),
            Item::Use(item) => {
                if is_public(&item.vis) && !is_hidden(&item.attrs) {
                    self.add_uses(&item.tree, &Names::new());
                }
                return;
            }
            Item::Macro(item) => {
                let Some(name) = &item.ident else { return };
                let is_exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
                (&item.attrs, is_exported, name.to_string())
            }
            Item::Fn(item) => {
                (&item.attrs, is_public(&item.vis), derived(&item.attrs).unwrap_or_else(|| item.sig.ident.to_string()))
            }
            Item::Const(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Enum(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Static(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Struct(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Trait(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Type(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            Item::Union(item) => (&item.attrs, is_public(&item.vis), item.ident.to_string()),
            _ => return,
        };
        if is_public {
            self.items.insert(name, !is_hidden(attributes));
        }
    }

    fn add_module(&mut self, item: &ItemMod, beside: &Path, folder: &Path) {
        if is_of_tests(&item.attrs) {
            return;
        }
        let name = item.ident.to_string();
        let is_shown = is_public(&item.vis) && !is_hidden(&item.attrs);
        let module: Box<dyn FnOnce() -> Module> = match (&item.content, named_file(&item.attrs)) {
            (Some((_, items)), _) => {
                let module = Self::of(items, beside, &folder.join(&name));
                Box::new(|| module)
            }
            (None, Some(file)) => {
                let file = beside.join(file);
                Box::new(move || Self::of_file(&file, &folder_of(&file)))
            }
            (None, None) => {
                let (file, below) = (folder.join(format!("{name}.rs")), folder.join(&name));
                let file = if file.exists() { file } else { below.join("mod.rs") };
                Box::new(move || Self::of_file(&file, &below))
            }
        };
        self.modules.insert(name, Child { is_shown, module: LazyCell::new(module) });
    }

    fn add_uses(&mut self, tree: &UseTree, path: &[String]) {
        let longer = |name: String| [path, &[name]].concat();
        let (path, name) = match tree {
            UseTree::Path(tree) => return self.add_uses(&tree.tree, &longer(tree.ident.to_string())),
            UseTree::Group(tree) => return tree.items.iter().for_each(|tree| self.add_uses(tree, path)),
            UseTree::Glob(_) => (path.to_vec(), None),
            UseTree::Name(tree) if tree.ident == "self" => (path.to_vec(), path.last().cloned()),
            UseTree::Name(tree) => (longer(tree.ident.to_string()), Some(tree.ident.to_string())),
            UseTree::Rename(tree) if tree.rename == "_" => return,
            UseTree::Rename(tree) => (longer(tree.ident.to_string()), Some(tree.rename.to_string())),
        };
        self.uses.push(Use { path, name });
    }

    /// Lists the names of this module, which stands at `place` in the sources, below the path `shown`.
    fn list(&self, root: &Self, place: &Names, shown: &Names, found: &mut BTreeSet<String>) {
        let below = |names: &Names, name: &str| [names.as_slice(), &[name.to_owned()]].concat();
        for (name, _) in self.items.iter().filter(|(_, is_shown)| **is_shown) {
            found.insert(below(shown, name).join("::"));
        }
        for (name, Child { module, .. }) in self.modules.iter().filter(|(_, child)| child.is_shown) {
            found.insert(below(shown, name).join("::"));
            module.list(root, &below(place, name), &below(shown, name), found);
        }
        for used in &self.uses {
            let shown = used.name.as_ref().map_or_else(|| shown.clone(), |name| below(shown, name));
            match (root.target(place, &used.path), &used.name) {
                (Target::Item { is_shown: false }, _) | (Target::OfAnotherCrate, None) => {}
                (Target::Module(module, place), name) => {
                    if name.is_some() {
                        found.insert(shown.join("::"));
                    }
                    module.list(root, &place, &shown, found);
                }
                _ => {
                    found.insert(shown.join("::"));
                }
            }
        }
    }

    /// What a path leads to that the module at `place` names. This is the root of the crate.
    fn target(&self, place: &Names, path: &[String]) -> Target<'_> {
        let (mut place, mut path, mut is_own) = (place.clone(), path, false);
        while let [first, rest @ ..] = path {
            match first.as_str() {
                "self" => {}
                "super" => drop(place.pop()),
                "crate" => place.clear(),
                _ => break,
            }
            (path, is_own) = (rest, true);
        }
        let here = place.iter().fold(self, |module, name| &module.modules[name].module);
        let Some((last, folders)) = path.split_last() else { return Target::Module(here, place) };
        let first = &path[0];
        let is_here =
            here.modules.contains_key(first) || here.items.contains_key(first) || here.hands_on(first).is_some();
        // A name of this module's own comes before a crate of that name. A `use` of the name itself would lead back here.
        if !is_own
            && (!is_here || (path.len() == 1 && !here.items.contains_key(first) && !here.modules.contains_key(first)))
        {
            return Target::OfAnotherCrate;
        }
        let mut module = here;
        for (at, name) in folders.iter().enumerate() {
            if let Some(child) = module.modules.get(name) {
                module = &child.module;
                place.push(name.clone());
            } else if let Some(again) = module.hands_on(name) {
                return self.target(&place, &[&again.path, &path[at + 1..]].concat());
            } else {
                return Target::OfAnotherCrate;
            }
        }
        if let Some(&is_shown) = module.items.get(last) {
            return Target::Item { is_shown };
        }
        if let Some(again) = module.hands_on(last).filter(|again| !std::ptr::eq(module, here) || again.path != path) {
            return self.target(&place, &again.path);
        }
        match module.modules.get(last) {
            Some(child) => Target::Module(&child.module, [place.as_slice(), std::slice::from_ref(last)].concat()),
            // A macro makes it.
            None => Target::Item { is_shown: true },
        }
    }

    /// The `pub use` that gives this name.
    fn hands_on(&self, name: &str) -> Option<&Use> {
        self.uses.iter().find(|used| used.name.as_deref() == Some(name))
    }
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().expect("a file stands in a folder").to_owned()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn has(attributes: &[Attribute], name: &str, value: &str) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident(name) && list.tokens.to_string() == value,
        _ => false,
    })
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    has(attributes, "doc", "hidden")
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    has(attributes, "cfg", "test")
}

/// The file of `#[path = ".."]`.
fn named_file(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(file), .. }) => Some(file.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The name that `#[proc_macro_derive(..)]` gives to its function.
fn derived(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("proc_macro_derive") => {
            list.tokens.clone().into_iter().next().map(|name| name.to_string())
        }
        _ => None,
    })
}
