//! A program that uses every public item of a generated module in every way that an author may. The program comes from
//! the module alone, and not from the code of `diff`. So the compiler can contradict a verdict.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use acp_codegen::diff::{By, Form, Surface, Wire};
use heck::{ToPascalCase as _, ToSnakeCase as _};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, GenericArgument, ImplItem, Item, Pat, PathArguments, Type, Visibility};

/// The items that the program does not use, because drafts give no promises.
#[derive(Default)]
pub(crate) struct Drafts {
    /// Types, and markers of methods.
    types: BTreeSet<String>,
    /// Fields and variants as `Type.member`, and fields of variants as `Type.Variant.member`.
    members: BTreeSet<String>,
    /// Functions, without the name of their type.
    functions: BTreeSet<String>,
}

impl Drafts {
    /// The drafts of a schema.
    pub(crate) fn of(surface: &Surface) -> Self {
        let mut out = Self::default();
        for ty in surface.types.values() {
            if ty.draft {
                out.types.insert(ty.label.clone());
            }
            let label = ty.label.replace("::", ".");
            match &ty.form {
                Form::Struct(fields) => {
                    let drafts = fields.iter().filter(|field| field.draft);
                    out.members.extend(drafts.map(|field| format!("{label}.{}", field.rust)));
                }
                Form::Choice(choice) => {
                    let drafts = choice.branches.iter().filter(|branch| branch.draft);
                    // The variant for unknown values has its own type.
                    let unknown = choice.branches.iter().filter(|branch| branch.wire == Wire::Unknown);
                    let unknown = unknown.filter(|branch| ty.draft || branch.draft);
                    out.types.extend(unknown.map(|branch| format!("{}{}", branch.rust, ty.label)));
                    // A function with this name makes an error from a code.
                    let functions = drafts.clone().map(|branch| branch.rust.to_snake_case());
                    out.functions.extend(functions.filter(|_| matches!(choice.by, By::Numbers(_))));
                    out.members.extend(drafts.map(|branch| format!("{label}.{}", branch.rust)));
                }
                // `Plain` and `Alias` have no parts.
                _ => {}
            }
        }
        for method in surface.methods.iter().filter(|method| method.draft) {
            out.types.insert(method.handler.to_pascal_case());
            out.members.insert(format!("MethodNames.{}", method.wire.to_snake_case()));
            out.types.extend([Some(&method.params), method.response.as_ref()].into_iter().flatten().cloned());
        }
        out
    }

    /// Adds the drafts of another schema.
    pub(crate) fn and(mut self, surface: &Surface) -> Self {
        let Self { types, members, functions } = Self::of(surface);
        self.types.extend(types);
        self.functions.extend(functions);
        self.members.extend(members);
        self
    }

    fn names(&self, tokens: &impl ToTokens) -> bool {
        fn any(tokens: TokenStream, types: &BTreeSet<String>) -> bool {
            tokens.into_iter().any(|token| match token {
                TokenTree::Ident(ident) => types.contains(&ident.to_string()),
                TokenTree::Group(group) => any(group.stream(), types),
                _ => false,
            })
        }
        any(tokens.to_token_stream(), &self.types)
    }

    fn member(&self, of: &str, member: &str) -> bool {
        let of = if of.ends_with("MethodNames") { "MethodNames" } else { of };
        self.functions.contains(member) || self.members.contains(&format!("{of}.{member}"))
    }
}

/// The program that uses the items of the module `old`. It imports them from the module `module` of its crate.
pub(crate) fn using(old: &str, module: &str, drafts: &Drafts) -> String {
    let file = syn::parse_file(old).expect("what is generated is Rust");
    let mut program =
        Program { module: module.to_owned(), drafts, out: String::new(), texts: BTreeSet::new(), count: 0 };
    program.out.push_str("#![allow(warnings)]\nfn any<T>() -> T { unimplemented!() }\n");
    program.out.push_str(SAME);
    program.texts = file.items.iter().filter_map(text_name).collect();
    program.items("", &file.items);
    program.out
}

/// Compares two texts at compile time.
const SAME: &str = "const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] { i += 1; }
    i == a.len() && i == b.len()
}
";

/// The name of a newtype of a text. A `&str` converts into it.
fn text_name(item: &Item) -> Option<String> {
    let Item::Struct(item) = item else { return None };
    let field = item.fields.iter().next()?;
    (field.ident.is_none() && text(&field.ty).ends_with("Arc < str >")).then(|| item.ident.to_string())
}

struct Program<'a> {
    module: String,
    drafts: &'a Drafts,
    out: String,
    texts: BTreeSet<String>,
    count: usize,
}

impl Program<'_> {
    fn items(&mut self, place: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) if is_public(&item.vis) => self.structure(place, item),
                Item::Enum(item) if is_public(&item.vis) => self.choice(place, item),
                Item::Impl(block) => self.block(place, block),
                Item::Type(item) => {
                    let name = self.path(place, &item.ident);
                    if !self.drafts.names(item) {
                        let target = self.ty(&item.ty);
                        self.function(&format!("(x: {name}) -> {target} {{ x }}"));
                    }
                }
                Item::Const(item) if is_public(&item.vis) && !self.drafts.names(&item.ident) => {
                    let (name, ty) = (self.path(place, &item.ident), self.ty(&item.ty));
                    self.function(&format!("() {{ let x: &'static {ty} = &{name}; }}"));
                }
                Item::Mod(module) if is_public(&module.vis) => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.items(&format!("{place}{}::", module.ident), items);
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, rest: &str) {
        self.count += 1;
        writeln!(self.out, "pub fn f{}{rest}", self.count).expect("a string");
    }

    fn path(&self, place: &str, name: &impl ToString) -> String {
        format!("crate::{}::{place}{}", self.module, name.to_string())
    }

    /// The name of a type for code outside of the module.
    fn ty(&self, ty: &Type) -> String {
        outside(&self.module, ty.to_token_stream()).to_string()
    }

    fn structure(&mut self, place: &str, item: &syn::ItemStruct) {
        if self.drafts.names(&item.ident) {
            return;
        }
        let name = self.path(place, &item.ident);
        self.derives(&name, &item.attrs);
        for (index, field) in item.fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
            let member = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
            if self.drafts.member(&item.ident.to_string(), &member) || self.drafts.names(&field.ty) {
                continue;
            }
            let ty = self.ty(&field.ty);
            self.function(&format!("(x: {name}) -> {ty} {{ x.{member} }}"));
            self.function(&format!("(x: {ty}, mut y: {name}) {{ y.{member} = x; }}"));
            if field.ident.is_some() {
                self.function(&format!("(x: {name}) -> {ty} {{ let {name} {{ {member}: y, .. }} = x; y }}"));
            }
        }
        let open = item.attrs.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
        if !open && item.fields.iter().all(|field| is_public(&field.vis)) {
            match &item.fields {
                syn::Fields::Unnamed(fields) => {
                    let any = vec!["any()"; fields.unnamed.len()].join(", ");
                    let all = vec!["_"; fields.unnamed.len()].join(", ");
                    self.function(&format!("(x: {name}) -> {name} {{ let {name}({all}) = x; {name}({any}) }}"));
                }
                syn::Fields::Unit => self.function(&format!("() -> {name} {{ {name} }}")),
                syn::Fields::Named(_) => {}
            }
        }
    }

    fn choice(&mut self, place: &str, item: &syn::ItemEnum) {
        if self.drafts.names(&item.ident) {
            return;
        }
        let name = self.path(place, &item.ident);
        self.derives(&name, &item.attrs);
        let of = item.ident.to_string();
        for variant in &item.variants {
            if self.drafts.member(&of, &variant.ident.to_string()) || self.drafts.names(&variant.fields) {
                continue;
            }
            let path = format!("{name}::{}", variant.ident);
            let types: Vec<String> = variant.fields.iter().map(|field| self.ty(&field.ty)).collect();
            let label = format!("{of}.{}", variant.ident);
            match &variant.fields {
                syn::Fields::Unit => {
                    self.function(&format!(
                        "(x: &{name}) -> {name} {{ match x {{ {path} => {{}} _ => {{}} }} {path} }}"
                    ));
                }
                syn::Fields::Unnamed(_) => {
                    let made: Vec<String> = types.iter().map(|ty| format!("any::<{ty}>()")).collect();
                    let names: Vec<String> = (0..types.len()).map(|index| format!("y{index}")).collect();
                    let typed: String =
                        names.iter().zip(&types).map(|(name, ty)| format!("let z: {ty} = {name};")).collect();
                    self.function(&format!(
                        "(x: {name}) -> {name} {{ match x {{ {path}({}) => {{ {typed} }} _ => {{}} }} {path}({}) }}",
                        names.join(", "),
                        made.join(", ")
                    ));
                }
                syn::Fields::Named(fields) => {
                    let idents: Vec<String> = fields.named.iter().map(|f| text(&f.ident)).collect();
                    if idents.iter().any(|ident| self.drafts.member(&label, ident)) {
                        continue;
                    }
                    let pairs = || idents.iter().zip(&types);
                    let made: Vec<String> = pairs().map(|(ident, ty)| format!("{ident}: any::<{ty}>()")).collect();
                    let typed: String = pairs().map(|(ident, ty)| format!("let z: {ty} = {ident};")).collect();
                    self.function(&format!(
                        "(x: {name}) -> {name} {{ match x {{ {path} {{ {} }} => {{ {typed} }} _ => {{}} }} {path} {{ {} }} }}",
                        idents.join(", "),
                        made.join(", ")
                    ));
                }
            }
        }
    }

    fn derives(&mut self, name: &str, attributes: &[Attribute]) {
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            attribute
                .parse_nested_meta(|derived| {
                    let derived = derived.path.segments.last().expect("a path has a name").ident.to_string();
                    let bound = match derived.as_str() {
                        "Serialize" => "::serde::Serialize".to_owned(),
                        "Deserialize" => "for<'de> ::serde::Deserialize<'de>".to_owned(),
                        "Debug" => "::std::fmt::Debug".to_owned(),
                        "Hash" => "::std::hash::Hash".to_owned(),
                        other => other.to_owned(),
                    };
                    self.function(&format!("() where {name}: {bound} {{}}"));
                    Ok(())
                })
                .expect("derives are paths");
        }
    }

    fn block(&mut self, place: &str, block: &syn::ItemImpl) {
        if self.drafts.names(&block.self_ty) {
            return;
        }
        let of = if place.is_empty() { self.ty(&block.self_ty) } else { self.path(place, &text(&block.self_ty)) };
        if let Some((path, _)) = &block.trait_ {
            let support = path.segments.iter().any(|segment| segment.ident == "support");
            if support || self.drafts.names(path) {
                return;
            }
            // An implementation has a fresh lifetime here, but a bound needs a named one.
            let of = of.replace("& str", "&'static str");
            let lifetimes = if block.generics.params.is_empty() { "" } else { "for<'de> " };
            let bound = outside(&self.module, path.to_token_stream()).to_string().replace("& str", "&'static str");
            self.function(&format!("() where {of}: {lifetimes}{bound} {{}}"));
            for item in &block.items {
                match item {
                    ImplItem::Type(item) if !self.drafts.names(&item.ty) => {
                        let ty = self.ty(&item.ty);
                        self.function(&format!("(x: <{of} as {bound}>::{}) -> {ty} {{ x }}", item.ident));
                    }
                    // Only constants with a text are compared, because a constant function cannot compare a side or a
                    // kind.
                    ImplItem::Const(item) if matches!(&item.expr, syn::Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Str(_))) =>
                    {
                        let (name, value) = (&item.ident, text(&item.expr));
                        self.function(&format!(
                            "() {{ const _: () = assert!(same(<{of} as {bound}>::{name}, {value})); }}"
                        ));
                    }
                    _ => {}
                }
            }
            return;
        }
        let name = text(&block.self_ty);
        for item in &block.items {
            if let ImplItem::Fn(function) = item
                && is_public(&function.vis)
                && !self.drafts.names(&function.sig)
                && !self.drafts.member(&name, &function.sig.ident.to_string())
            {
                self.call(&of, &function.sig);
            }
        }
    }

    fn call(&mut self, of: &str, signature: &syn::Signature) {
        let signature = &with_a_deserializer(signature);
        let mut arguments = Vec::new();
        for input in &signature.inputs {
            let alternatives = match input {
                FnArg::Receiver(receiver) => {
                    let reference = if text(receiver).starts_with('&') { "&" } else { "" };
                    vec![format!("{reference}any::<{of}>()")]
                }
                FnArg::Typed(typed) => {
                    assert!(matches!(typed.pat.as_ref(), Pat::Ident(_)), "a parameter has a name");
                    self.arguments(&typed.ty)
                }
            };
            arguments.push(alternatives);
        }
        let output = match &signature.output {
            syn::ReturnType::Default => "()".to_owned(),
            syn::ReturnType::Type(_, ty) => {
                let ty = self.ty(ty);
                if ty == "Self" { of.to_owned() } else { ty.replace("< Self ,", &format!("< {of} ,")) }
            }
        };
        let ways = arguments.iter().map(Vec::len).max().unwrap_or(1);
        for way in 0..ways {
            let given: Vec<&str> = arguments.iter().map(|ways| ways[way.min(ways.len() - 1)].as_str()).collect();
            let (name, given) = (&signature.ident, given.join(", "));
            self.function(&format!("() {{ let x: {output} = {of}::{name}({given}); }}"));
        }
    }

    /// A value for a parameter.
    fn arguments(&self, ty: &Type) -> Vec<String> {
        if let Type::ImplTrait(bounds) = ty {
            let bound = bounds.bounds.first().expect("a bound");
            let syn::TypeParamBound::Trait(bound) = bound else { panic!("no trait: {}", text(bound)) };
            let last = bound.path.segments.last().expect("a trait has a name");
            let PathArguments::AngleBracketed(inside) = &last.arguments else { panic!("no argument: {}", text(ty)) };
            let Some(GenericArgument::Type(inside)) = inside.args.first() else { panic!("no type: {}", text(ty)) };
            let inner = self.ty(inside);
            let own = format!("any::<{inner}>()");
            let name = inner.rsplit("::").next().unwrap_or_default().trim().to_owned();
            let texts = ["String", "PathBuf"].contains(&name.as_str()) || self.texts.contains(&name);
            return match last.ident.to_string().as_str() {
                "IntoOption" | "IntoMaybeUndefined" => vec![own, format!("any::<::std::option::Option<{inner}>>()")],
                _ if texts => vec![own, "any::<&'static str>()".to_owned()],
                _ => vec![own],
            };
        }
        vec![format!("any::<{}>()", self.ty(ty))]
    }
}

/// Replaces the generic deserializer `D` of a function by a concrete one.
fn with_a_deserializer(signature: &syn::Signature) -> syn::Signature {
    if signature.generics.params.is_empty() {
        return signature.clone();
    }
    let mut signature = signature.clone();
    signature.generics = syn::Generics::default();
    let text = text(&signature).replace("D :: Error", ":: serde_json :: Error");
    let text = text.replace("payload : D", "payload : :: serde_json :: Value");
    syn::parse_str(&text).expect("a signature stays one")
}

/// Puts the path of the module before the names of its types.
fn outside(module: &str, tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut led_to = false;
    while let Some(token) = tokens.next() {
        let begins =
            std::mem::replace(&mut led_to, matches!(&token, TokenTree::Punct(colon) if colon.as_char() == ':'));
        match token {
            TokenTree::Ident(name) if !begins && ["super", "self"].contains(&name.to_string().as_str()) => {
                out.extend(module_path(module));
                tokens.next_if(|colon| colon.to_string() == ":");
                tokens.next_if(|colon| colon.to_string() == ":");
                led_to = true;
            }
            TokenTree::Ident(name) if !begins && is_generated(&name.to_string()) => {
                out.extend(module_path(module));
                out.push(name.into());
            }
            TokenTree::Group(group) => {
                out.push(Group::new(group.delimiter(), outside(module, group.stream())).into());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

fn module_path(module: &str) -> TokenStream {
    format!("crate::{module}::").parse().expect("a path")
}

/// The module `error` uses some names of the standard prelude without a path. They are not generated.
fn is_generated(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && !["Self", "String", "From", "Result"].contains(&name)
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
