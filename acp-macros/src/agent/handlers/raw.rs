//! The `impl` block as written. Signatures are parsed, bodies stay tokens: an author who is in the middle of writing
//! one keeps the rest, and a body costs nothing.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, ImplItem, ItemImpl, Path, Signature, Token, Visibility};

use super::ext::{self, Ext};
use super::hook::{self, OnChange};
use crate::agent::declaration::KEYS;
use crate::diagnostics::Sink;
use crate::keys;

/// An item that turned out to be an `impl`.
pub(in crate::agent) struct Source {
    /// All before the braces, as written.
    tokens: TokenStream,
    head: ItemImpl,
    body: Group,
}

impl Source {
    /// `None` for any other item.
    pub(in crate::agent) fn split(item: &TokenStream) -> Option<Self> {
        let mut tokens: Vec<_> = item.clone().into_iter().collect();
        let Some(TokenTree::Group(body)) = tokens.pop() else { return None };
        if body.delimiter() != Delimiter::Brace {
            return None;
        }
        let tokens = TokenStream::from_iter(tokens);
        let head = syn::parse2(quote!(#tokens {})).ok()?;
        Some(Self { tokens, head, body })
    }
}

/// The `impl` block and what stands in it.
pub(super) struct Block {
    pub(super) head: ItemImpl,
    /// `crate = path`.
    pub(super) krate: Option<Path>,
    pub(super) items: Vec<Item>,
    tokens: TokenStream,
    body: Group,
    inner: Vec<Attribute>,
    /// What stands behind an item that could not be parsed, which was reported.
    pub(super) rest: TokenStream,
}

pub(super) enum Item {
    Function(Box<Function>),
    Other(Box<ImplItem>),
}

pub(super) struct Function {
    pub(super) attributes: Vec<Attribute>,
    pub(super) signature: Signature,
    /// Taken out of the attributes, since it means nothing to the compiler.
    pub(super) ext: Option<Ext>,
    /// As well.
    pub(super) on_change: Option<OnChange>,
    vis: Visibility,
    body: Group,
}

impl Block {
    pub(super) fn read(arguments: TokenStream, source: Source, sink: &Sink) -> Self {
        let Source { tokens, head, body } = source;
        let krate = read_crate(arguments, sink);
        let mut block =
            Self { head, krate, items: Vec::new(), tokens, body, inner: Vec::new(), rest: TokenStream::new() };
        let items = |input: ParseStream<'_>| {
            block.inner = input.call(Attribute::parse_inner)?;
            while !input.is_empty() {
                match item(input, sink) {
                    Ok(item) => block.items.push(item),
                    Err(error) => {
                        sink.absorb(error);
                        block.rest = input.parse()?;
                    }
                }
            }
            Ok(())
        };
        let read = items.parse2(block.body.stream());
        sink.take(read);
        block
    }

    /// The block, with the attributes taken out that were ours.
    pub(super) fn item(&self) -> TokenStream {
        let Self { head: _, krate: _, items, tokens, body, inner, rest } = self;
        let mut braces = Group::new(Delimiter::Brace, quote!(#(#inner)* #(#items)* #rest));
        braces.set_span(body.span());
        quote!(#tokens #braces)
    }
}

fn read_crate(arguments: TokenStream, sink: &Sink) -> Option<Path> {
    let mut krate = None;
    keys::read_arguments(arguments, KEYS, sink, |key, input| {
        if key == "crate" {
            krate = Some(keys::assigned::<Path>(key, input)?.value);
            return Ok(());
        }
        sink.error(key, format_args!("`{key}` belongs on the struct, not on its `impl`"));
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        Ok(())
    });
    krate
}

fn item(input: ParseStream<'_>, sink: &Sink) -> syn::Result<Item> {
    let ahead = input.fork();
    let mut attributes = ahead.call(Attribute::parse_outer)?;
    let vis = ahead.parse()?;
    let (Ok(signature), Ok(body)) = (ahead.parse::<Signature>(), ahead.parse::<Group>()) else {
        return Ok(Item::Other(Box::new(input.parse()?)));
    };
    input.advance_to(&ahead);
    let ext = ext::take(&mut attributes, sink);
    let on_change = hook::take(&mut attributes, sink);
    Ok(Item::Function(Box::new(Function { attributes, signature, ext, on_change, vis, body })))
}

impl Function {
    /// The conditions under which the function is there at all.
    pub(super) fn cfgs(&self) -> Vec<Attribute> {
        cfgs(&self.attributes)
    }
}

pub(super) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => {
                let Function { attributes, signature, ext: _, on_change: _, vis, body } = &**function;
                tokens.extend(quote!(#(#attributes)* #vis #signature #body));
            }
            Self::Other(item) => item.to_tokens(tokens),
        }
    }
}
