//! One `impl` block of handlers: the expansion around its parts, its head, and the walk over its functions.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ImplItem, ItemImpl};

use super::Role;
use super::conditions::cfgs;
use super::raw::{Block, Function, Item};
use crate::diagnostics::Sink;
use crate::keys::Reading;

/// The hints for language servers, the block as written, and the `impl` that the role makes of it.
pub(crate) fn expand<A>(
    block: &Block<A>,
    runtime: &TokenStream,
    reading: Reading<'_>,
    implement: impl FnOnce(&Sink) -> Option<TokenStream>,
) -> TokenStream {
    let mut tokens = reading.hints.expand(runtime);
    tokens.extend(block.item());
    tokens.extend(implement(reading.sink));
    tokens
}

/// `None` for a block that cannot hold handlers.
pub(crate) fn check_head(head: &ItemImpl, role: &Role, sink: &Sink) -> Option<()> {
    let Role { attribute, name, one_type, .. } = role;
    let before = sink.count();
    if let Some((path, _)) = &head.trait_ {
        sink.error(path, format_args!("the handlers of {name} are an `impl` block of its own, not one of a trait"))
            .help(format_args!("write `#[{attribute}] impl {}`", head.self_ty.to_token_stream()))
            .note("a handler's name is the method's, and its parameters are taken by their types");
    }
    let generics = &head.generics;
    let at = if generics.params.is_empty() { head.self_ty.to_token_stream() } else { generics.to_token_stream() };
    if !generics.params.is_empty() || holds_lifetime(at.clone()) {
        sink.error(at, format_args!("{name} cannot be generic")).note(one_type);
    }
    (sink.count() == before).then_some(())
}

/// Whether the type has a lifetime. `Coder<'_>` has one, although its `impl` declares none.
pub(crate) fn holds_lifetime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\''))
}

/// Calls `each` for every function, under the conditions of the function. A macro in the block is an error.
pub(crate) fn each_function<A>(
    block: &Block<A>,
    role: &Role,
    sink: &Sink,
    mut each: impl FnMut(&Function, Option<&A>),
) {
    for item in &block.items {
        match item {
            Item::Function(function, own) => sink.under(&function.cfgs(), || match &function.misspelt {
                Some(misspelt) => misspelt.report(role.attributes, sink),
                None => each(function, own.as_ref()),
            }),
            Item::Other(item) => check_other(item, role, sink),
        }
    }
}

fn check_other(item: &ImplItem, role: &Role, sink: &Sink) {
    let ImplItem::Macro(call) = item else { return };
    let attribute = role.attribute;
    sink.under(&cfgs(&call.attrs), || {
        let text = "a macro in this `impl` is expanded after";
        sink.error(&call.mac.path, format_args!("{text} `#[{attribute}]`, which cannot see handlers in it"))
            .help("write the handlers out; what is no handler goes in an `impl` block of its own");
    });
}
