//! Compares two generated modules. It does not use the code of `diff`, so it can contradict `diff`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ImplItem, Item, Visibility};

/// A generated module with resolved aliases. Of its documentation, it keeps only the meaning of absent fields.
pub(crate) struct Module {
    /// The items without resolved aliases.
    pub(crate) items: Vec<String>,
    file: Vec<Item>,
    aliases: HashMap<String, TokenStream>,
}

impl Module {
    pub(crate) fn read(rust: &str) -> Self {
        // Only the documentation shows a default that is not the default of the type.
        let is_code = |line: &&str| {
            let line = line.trim_start();
            !line.starts_with("///") || line.starts_with("/// Absent means")
        };
        let code: String = rust.lines().filter(is_code).map(|l| format!("{l}\n")).collect();
        let mut file = syn::parse_file(&code).expect("what is generated is Rust").items;
        leave_out_lists_of_fields(&mut file);
        let alias = |item: &Item| match item {
            Item::Type(item) => Some((item.ident.to_string(), item.ty.to_token_stream())),
            _ => None,
        };
        let aliases: HashMap<_, _> = file.iter().filter_map(alias).collect();
        Self { items: file.iter().map(text).collect(), aliases, file }
    }

    /// All tokens with their counts. The counts stay the same if parts only change places.
    pub(crate) fn tokens(&self) -> BTreeMap<String, usize> {
        fn count(tokens: TokenStream, out: &mut BTreeMap<String, usize>) {
            for token in tokens {
                match token {
                    TokenTree::Group(group) => count(group.stream(), out),
                    TokenTree::Literal(number) if number.to_string().parse::<u64>().is_ok() => {}
                    TokenTree::Punct(_) => {}
                    other => *out.entry(other.to_string()).or_default() += 1,
                }
            }
        }
        let mut out = BTreeMap::new();
        self.file.iter().for_each(|item| count(self.behind(item.to_token_stream()), &mut out));
        out
    }

    /// The tokens, with each alias replaced by its target.
    fn behind(&self, tokens: TokenStream) -> TokenStream {
        let replace = |token: TokenTree| -> TokenStream {
            match token {
                TokenTree::Ident(name) => match self.aliases.get(&name.to_string()) {
                    Some(target) => self.behind(target.clone()),
                    None => TokenTree::Ident(name).into(),
                },
                TokenTree::Group(group) => {
                    TokenTree::Group(Group::new(group.delimiter(), self.behind(group.stream()))).into()
                }
                other => other.into(),
            }
        };
        tokens.into_iter().map(replace).collect()
    }

    /// A public name that the newer module does not have.
    pub(crate) fn lost(&self, newer: &Self) -> Option<String> {
        let (had, has) = (self.names(), newer.names());
        // A newer argument may accept more types than before.
        let general: BTreeSet<String> = has.iter().map(|name| without_into(name)).collect();
        had.into_iter().find(|name| !has.contains(name) && !general.contains(name))
    }

    fn names(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        self.names_of("", &self.file, &mut out);
        out
    }

    fn names_of(&self, place: &str, items: &[Item], out: &mut BTreeSet<String>) {
        let plain = |tokens: &dyn ToTokens| self.behind(tokens.to_token_stream()).to_string();
        let derives = |name: &syn::Ident, attributes: &[syn::Attribute], out: &mut BTreeSet<String>| {
            for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
                attribute
                    .parse_nested_meta(|derived| {
                        let last = derived.path.segments.last().expect("a path has a name").ident.to_string();
                        // Only some structs derive `Deserialize`. The others implement it by hand.
                        let last = last.trim_end_matches("Deserialize").to_owned();
                        out.insert(format!("{place}{name}: {last}"));
                        Ok(())
                    })
                    .expect("derives are paths");
            }
        };
        for item in items {
            match item {
                Item::Struct(item) => {
                    derives(&item.ident, &item.attrs, out);
                    let name = format!("{place}{}", item.ident);
                    for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                        out.insert(format!("{name}.{}: {}", text(&field.ident), plain(&field.ty)));
                    }
                    out.insert(name);
                }
                Item::Enum(item) => {
                    derives(&item.ident, &item.attrs, out);
                    for variant in &item.variants {
                        let fields = variant.fields.iter().map(|f| format!("{}: {}", text(&f.ident), plain(&f.ty)));
                        // Code that makes a variant names all its fields, in any order.
                        let fields: BTreeSet<String> = fields.collect();
                        out.insert(format!("{place}{}::{} {fields:?}", item.ident, variant.ident));
                    }
                }
                Item::Type(item) => out.extend([format!("{place}{}", item.ident)]),
                Item::Const(item) => out.extend([format!("{place}{}: {}", item.ident, text(&item.ty))]),
                Item::Mod(module) if module.ident != "error" => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    self.names_of(&format!("{place}{}::", module.ident), items, out);
                }
                Item::Impl(block) => {
                    let of = format!("{place}{}", plain(&block.self_ty));
                    match &block.trait_ {
                        Some((path, _)) if text(path).contains("support") || text(path).contains("Deserialize") => {}
                        Some((path, _)) => {
                            out.insert(format!("{of}: {}", plain(path)));
                            for inside in &block.items {
                                match inside {
                                    ImplItem::Const(item) => {
                                        out.extend([format!("{of}::{} = {}", item.ident, text(&item.expr))])
                                    }
                                    ImplItem::Type(item) => {
                                        out.extend([format!("{of}::{} = {}", item.ident, plain(&item.ty))])
                                    }
                                    _ => {}
                                }
                            }
                        }
                        None => {
                            for inside in &block.items {
                                if let ImplItem::Fn(function) = inside
                                    && is_public(&function.vis)
                                {
                                    out.insert(format!("{of}::{}", plain(&function.sig)));
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// `impl Into<T>` as `T`.
fn without_into(signature: &str) -> String {
    const INTO: &str = "impl :: std :: convert :: Into < ";
    let mut out = String::new();
    let mut rest = signature;
    while let Some((before, after)) = rest.split_once(INTO) {
        out.push_str(before);
        let mut depth = 1;
        let end = after.find(|c| {
            depth += match c {
                '<' => 1,
                '>' => -1,
                _ => 0,
            };
            depth == 0
        });
        let (inner, behind) = after.split_at(end.unwrap_or(after.len()));
        out.push_str(inner.trim_end());
        rest = behind.trim_start_matches('>');
    }
    out + rest
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

/// Leaves out `FIELDS` of methods, as `diff` does: the fields are there, and a list of them may grow.
fn leave_out_lists_of_fields(items: &mut [Item]) {
    for item in items {
        match item {
            Item::Mod(module) => module.content.iter_mut().for_each(|(_, items)| leave_out_lists_of_fields(items)),
            Item::Impl(block) => {
                block.items.retain(|item| !matches!(item, ImplItem::Const(constant) if constant.ident == "FIELDS"));
            }
            _ => {}
        }
    }
}
