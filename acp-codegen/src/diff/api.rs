//! The API of a generated module, which is read from the module itself. So every part of the generator's output is
//! compared, without a list of parts.

use std::collections::BTreeMap;
use std::fmt;

use syn::{Attribute, FnArg, ImplItem, Pat, Signature, Visibility};

use super::ty::{Ty, last};

/// The public items of a generated module.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Api {
    /// The items by their paths in the module: `Plan`, `methods::NewSession`.
    pub(super) items: BTreeMap<String, Item>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Item {
    /// `struct`, `enum`, `constant` or `type`.
    pub(super) kind: &'static str,
    /// Whether code in other crates may build the item from its fields, or match all of its variants.
    pub(super) exhaustive: bool,
    pub(super) parts: BTreeMap<Part, Is>,
    pub(super) traits: Vec<Implemented>,
    /// The variants in order. The order matters, because some enums compare by it.
    pub(super) order: Vec<String>,
}

/// An implemented trait, by its last name. Also the type that implements it, if this is not the item itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Implemented {
    pub(super) name: Ty,
    pub(super) for_other: Option<Ty>,
}

/// A part of an item that code can name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The type of a constant, or the target of an alias.
    Whole,
    Field(String),
    Variant(String),
    FieldOf {
        variant: String,
        field: String,
    },
    Function(String),
    /// An item of a trait: `Method::NAME`.
    Associated(String),
}

/// The kind and content of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Is {
    Of(Ty),
    /// The form of a variant: unit, tuple or named fields. For a value, its text.
    Text(String),
    Function(Function),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Function {
    /// The keywords, generics and `self` of a function. No generated type has two functions that differ only in these.
    pub(super) head: String,
    pub(super) parameters: Vec<(String, Ty)>,
    pub(super) output: Ty,
}

impl Item {
    /// The type of a field.
    pub(super) fn field(&self, name: &str) -> Option<&Ty> {
        self.ty(&Part::Field(name.to_owned()))
    }

    /// The type of a variant's field. If the variant has no field names, its field is `0`.
    pub(super) fn field_of(&self, variant: &str, field: &str) -> Option<&Ty> {
        self.ty(&Part::FieldOf { variant: variant.to_owned(), field: field.to_owned() })
    }

    pub(super) fn ty(&self, part: &Part) -> Option<&Ty> {
        match self.parts.get(part)? {
            Is::Of(ty) => Some(ty),
            Is::Text(_) | Is::Function(_) => None,
        }
    }
}

impl Api {
    /// Adds an item of the module.
    pub(super) fn add(&mut self, item: &syn::Item) {
        self.inside("", item);
    }

    /// Adds an item. `place` is the path of the item's module, with its colons.
    fn inside(&mut self, place: &str, item: &syn::Item) {
        match item {
            syn::Item::Struct(item) if is_public(&item.vis) => {
                let out = self.item(place, &item.ident, "struct", &item.attrs);
                let private = item.fields.iter().any(|field| !is_public(&field.vis));
                out.exhaustive &= !private;
                for (index, field) in item.fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
                    out.parts.insert(Part::Field(name(field, index)), Is::Of(Ty::read(&field.ty)));
                }
            }
            syn::Item::Enum(item) if is_public(&item.vis) => {
                let out = self.item(place, &item.ident, "enum", &item.attrs);
                for variant in &item.variants {
                    out.variant(variant);
                }
            }
            syn::Item::Type(item) if is_public(&item.vis) => {
                let ty = Ty::read(&item.ty);
                self.item(place, &item.ident, "type", &item.attrs).parts.insert(Part::Whole, Is::Of(ty));
            }
            syn::Item::Const(item) if is_public(&item.vis) => {
                let ty = Ty::read(&item.ty);
                self.item(place, &item.ident, "constant", &item.attrs).parts.insert(Part::Whole, Is::Of(ty));
            }
            syn::Item::Mod(module) if is_public(&module.vis) => {
                let place = format!("{place}{}::", module.ident);
                for item in module.content.iter().flat_map(|(_, items)| items) {
                    self.inside(&place, item);
                }
            }
            syn::Item::Impl(block) => self.block(place, block),
            _ => {}
        }
    }

    fn item(&mut self, place: &str, name: &syn::Ident, kind: &'static str, attributes: &[Attribute]) -> &mut Item {
        let item = self.items.entry(format!("{place}{name}")).or_default();
        item.kind = kind;
        item.exhaustive = !attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            // In generated code, the compiler has already accepted a derive as a list of paths.
            let _ = attribute.parse_nested_meta(|derived| {
                let name = derived.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                item.traits.push(Implemented { name: Ty::Other(name), for_other: None });
                Ok(())
            });
        }
        item
    }

    fn block(&mut self, place: &str, block: &syn::ItemImpl) {
        let of = Ty::read(&block.self_ty);
        let Some((path, _)) = &block.trait_ else {
            let Ty::Named(name) = of else { return };
            let item = self.items.entry(format!("{place}{name}")).or_default();
            for inside in &block.items {
                if let ImplItem::Fn(function) = inside
                    && is_public(&function.vis)
                {
                    let part = Part::Function(function.sig.ident.to_string());
                    item.parts.insert(part, Is::Function(Function::read(&function.sig)));
                }
            }
            return;
        };
        // Users do not call the functions that read and write a value. The surface compares these functions.
        if path.segments.iter().any(|segment| segment.ident == "support") {
            return;
        }
        let implemented = match Ty::of_path("", path) {
            Ty::Of(path, arguments) if arguments.is_empty() => Ty::Other(last(&path).to_owned()),
            Ty::Of(path, arguments) => Ty::Of(last(&path).to_owned(), arguments),
            Ty::Other(path) | Ty::Named(path) => Ty::Other(last(&path).to_owned()),
            other => other,
        };
        // `impl From<Code> for i32` belongs to `Code`.
        let mut owner = None;
        for ty in [&of, &implemented] {
            ty.each_name(&mut |name| owner = owner.or(Some(name)));
        }
        let Some(owner) = owner else { return };
        let item = self.items.entry(format!("{place}{owner}")).or_default();
        for inside in &block.items {
            let (name, is) = match inside {
                // It repeats the fields of the params, and each of them is reported.
                ImplItem::Const(constant) if constant.ident == "FIELDS" => continue,
                ImplItem::Const(constant) => (&constant.ident, Is::Text(text(&constant.expr))),
                ImplItem::Type(ty) => (&ty.ident, Is::Of(Ty::read(&ty.ty))),
                _ => continue,
            };
            item.parts.insert(Part::Associated(format!("{implemented}::{name}")), is);
        }
        let for_other = (of != Ty::Named(owner.to_owned())).then(|| of.clone());
        item.traits.push(Implemented { name: implemented, for_other });
    }
}

impl Item {
    fn variant(&mut self, variant: &syn::Variant) {
        let form = match &variant.fields {
            syn::Fields::Unit => "",
            syn::Fields::Unnamed(_) => "(..)",
            syn::Fields::Named(_) => "{ .. }",
        };
        let ident = variant.ident.to_string();
        self.parts.insert(Part::Variant(ident.clone()), Is::Text(form.to_owned()));
        for (index, field) in variant.fields.iter().enumerate() {
            let part = Part::FieldOf { variant: ident.clone(), field: name(field, index) };
            self.parts.insert(part, Is::Of(Ty::read(&field.ty)));
        }
        self.order.push(ident);
    }
}

impl Function {
    fn read(signature: &Signature) -> Self {
        let mut head = signature.constness.map(|_| "const ").unwrap_or_default().to_owned();
        head.push_str(&text(&signature.generics));
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    head.push_str(&text(receiver));
                }
                FnArg::Typed(typed) => {
                    let name = match typed.pat.as_ref() {
                        Pat::Ident(pattern) => pattern.ident.to_string(),
                        other => text(other),
                    };
                    parameters.push((name, Ty::read(&typed.ty)));
                }
            }
        }
        Self { head, parameters, output: Ty::read_output(&signature.output) }
    }
}

fn name(field: &syn::Field, index: usize) -> String {
    field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn text(tokens: &impl quote::ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

impl Part {
    /// Whether the part is a field or a variant, or sets one.
    pub(super) fn is_member(&self) -> bool {
        !matches!(self, Self::Whole | Self::Associated(_) | Self::Function(_))
    }

    /// Whether the part is a field of a variant.
    pub(super) fn is_inside(&self) -> bool {
        matches!(self, Self::FieldOf { .. })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("type"),
            Self::Field(name) | Self::Variant(name) | Self::Function(name) | Self::Associated(name) => {
                f.write_str(name)
            }
            Self::FieldOf { variant, field } => write!(f, "{variant}.{field}"),
        }
    }
}

impl fmt::Display for Implemented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.for_other {
            None => self.name.fmt(f),
            Some(other) => write!(f, "{} for {other}", self.name),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        write!(f, "({})", parameters.join(", "))?;
        match &self.output {
            Ty::Nothing => Ok(()),
            Ty::Other(this) if this == "Self" => Ok(()),
            output => write!(f, " -> {output}"),
        }
    }
}
