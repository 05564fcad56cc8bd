//! The conditions under which the compiler has a function or a doc comment. It settles them after the macro, which cannot
//! evaluate them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token, parse_quote};

use crate::text;

/// All conditions, including one that depends on another: `#[cfg_attr(unix, cfg(test))]` is
/// `#[cfg(any(not(unix), test))]`.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    let mut conditions = Vec::new();
    for attribute in attributes {
        conditions_of(&attribute.meta, &mut conditions);
    }
    conditions.into_iter().map(|cfg| parse_quote!(#[cfg(#cfg)])).collect()
}

fn conditions_of(meta: &Meta, all: &mut Vec<TokenStream>) {
    let Meta::List(list) = meta else { return };
    if meta.path().is_ident("cfg") {
        return all.push(list.tokens.clone());
    }
    let Some((condition, metas)) = conditional(meta) else { return };
    let before = all.len();
    for meta in &metas {
        conditions_of(meta, all);
    }
    for inner in &mut all[before..] {
        *inner = quote!(any(not(#condition), #inner));
    }
}

/// All conditions as one.
fn all(cfgs: &[Attribute]) -> TokenStream {
    let each = cfgs.iter().filter_map(|cfg| match &cfg.meta {
        Meta::List(list) => Some(&list.tokens),
        Meta::Path(_) | Meta::NameValue(_) => None,
    });
    quote!(all(#(#each),*))
}

/// The condition that at least one of these holds; `None` if there are none.
pub(crate) fn any<'a>(each: impl IntoIterator<Item = &'a Vec<Attribute>>) -> Option<TokenStream> {
    let each: Vec<_> = each.into_iter().map(|cfgs| all(cfgs)).collect();
    (!each.is_empty()).then(|| quote!(any(#(#each),*)))
}

/// The condition that not all of these hold.
pub(crate) fn not(cfgs: &[Attribute]) -> Attribute {
    let all = all(cfgs);
    parse_quote!(#[cfg(not(#all))])
}

/// The condition of a `cfg_attr`, and the attributes that it contains.
pub(crate) fn conditional(meta: &Meta) -> Option<(Meta, Vec<Meta>)> {
    let Meta::List(list) = meta else { return None };
    let metas = meta
        .path()
        .is_ident("cfg_attr")
        .then(|| list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated))?;
    let mut metas = metas.ok()?.into_iter();
    Some((metas.next()?, metas.collect()))
}

/// An attribute inside a `cfg_attr`, at any depth.
pub(crate) fn inside_condition(meta: &Meta, is_meant: fn(&Meta) -> bool) -> Option<Meta> {
    let (_, metas) = conditional(meta)?;
    metas.into_iter().find_map(|meta| if is_meant(&meta) { Some(meta) } else { inside_condition(&meta, is_meant) })
}

/// The doc comment as a constant expression. The compiler settles the conditions of a function after this macro, so the
/// expression contains each condition.
pub(crate) fn description(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().enumerate().find_map(|(position, attribute)| {
        let (condition, metas) = conditional(&attribute.meta)?;
        metas.iter().any(is_doc).then_some((position, condition, metas))
    });
    let Some((position, condition, metas)) = conditions else {
        return text::description(attributes).map_or_else(|| quote!(""), ToTokens::into_token_stream);
    };
    let (before, after) = (&attributes[..position], &attributes[position + 1..]);
    let metas: Vec<Attribute> = metas.iter().map(|meta| parse_quote!(#[#meta])).collect();
    let with = description(&[before, &metas, after].concat());
    let without = description(&[before, after].concat());
    quote!(if ::core::cfg!(#condition) { #with } else { #without })
}

fn is_doc(meta: &Meta) -> bool {
    let inner = conditional(meta).is_some_and(|(_, metas)| metas.iter().any(is_doc));
    inner || meta.path().is_ident("doc")
}
