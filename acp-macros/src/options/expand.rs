//! Writes the code for a declaration: its keys, its table, its defaults. Authors read this code in `cargo expand`, so
//! most work belongs in the runtime. [`super::rows`] writes the rows of the table.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{DeriveInput, Expr, ExprLit, Generics, Ident, Lit, Member, Type};

use super::Form;
use super::rows::{key_name, row};
use super::valid::{Declaration, Field, Kind, Reset, Struct};
use crate::diagnostics::{place, respan};
use crate::{text, threads};

pub(super) fn expand(item: &Struct) -> TokenStream {
    let Struct { form, name, vis: _, krate, members, fields, sound: _ } = item;
    let keys = fields.iter().filter_map(|field| key(item, field));
    let constructor = constructor(item);
    let table = fields.iter().filter_map(row);
    let outline = outline(item);
    let members = members.as_ref().map(|path| {
        let made = quote_spanned!(place(path)=> __acp::IntoMembers::into_members(#path(config)));
        quote! {
            const MEMBERS: __acp::Option<fn(&Self) -> __acp::MemberList> = __acp::Some(|config| #made);
        }
    });
    let initial = initial(item);
    let here = place(name);
    // Parameters name the config. If an agent that is its own config is no `Clone`, no error about them follows.
    let cloned = matches!(form, Form::Agent)
        .then(|| quote_spanned!(here=> type __Cloned = __acp::Given<#name, [(); __acp::cloned::<#name>()]>;));
    let copied = if cloned.is_some() { quote!(__Cloned) } else { quote!(Self) };
    let copy = quote_spanned!(here=> <#copied as __acp::Snapshot>::copy(self));
    let checks = checks(item);
    // Threads can always share the type of an option. Other types are checked.
    let others = fields.iter().filter_map(|field| match field {
        Field::Plain { member: _, ty } | Field::Broken { field: _, ty } => {
            Some(threads::Field { cfgs: Vec::new(), ty })
        }
        Field::Option(_) | Field::Flatten { .. } => None,
    });
    let facts = quote!([(); <#name as __acp::Entries>::OPTIONS.len()]);
    let facts = threads::sent(name, others.collect(), &facts);
    let bounds = threads::bounds();
    let own = matches!(form, Form::Agent).then(|| own_config(name, [&quote!(__Sent), &copied]));
    quote! {
        #[allow(dead_code, deprecated, private_interfaces)]
        impl #name {
            #(#keys)*
            #constructor
        }
        const _: () = {
            use #krate::__private as __acp;
            #facts
            #cloned
            #[automatically_derived]
            #[allow(deprecated)]
            impl __acp::Entries for #name {
                const OPTIONS: &'static [__acp::Entry<Self>] = &[#(#table),*];
                const OUTLINE: __acp::Outline = #outline;
                #members
                fn table() -> &'static __acp::Table<Self> {
                    static TABLE: __acp::LazyLock<__acp::Table<#name>> = __acp::LazyLock::new(__acp::Table::new);
                    &TABLE
                }
                fn defaults() -> __acp::Option<Self> { #initial }
                fn copied(&self) -> Self { #copy }
            }
            #[automatically_derived]
            impl __acp::ConfigOptions for #name #bounds {}
            #own
            #checks
        };
    }
}

/// The agent's half looks here for mistakes of a struct that is its own config.
pub(super) fn own_config(name: &Ident, [sound, config]: [&TokenStream; 2]) -> TokenStream {
    quote!(impl __acp::OwnConfig for #name { type Sound = #sound; type Config = #config; })
}

/// The constructor of a config that is not expanded because of a mistake.
pub(super) fn no_defaults(item: &DeriveInput) -> TokenStream {
    let DeriveInput { vis, ident, generics, .. } = item;
    let (of, on, bounds) = generics.split_for_impl();
    quote! {
        #[allow(dead_code)]
        impl #of #ident #on #bounds {
            #vis fn with_default_options() -> Self { __acp::unreachable() }
        }
    }
}

/// The expansion of an item that cannot have options. This was reported. The expansion implements the traits, so that
/// no other error follows.
pub(crate) fn nothing(name: &Ident, generics: &Generics, bounds: &TokenStream) -> TokenStream {
    let (of, on, _) = generics.split_for_impl();
    quote! {
        impl #of __acp::ConfigOptions for #name #on #bounds {}
        impl #of __acp::Entries for #name #on #bounds {
            const OPTIONS: &'static [__acp::Entry<Self>] = &[];
            const OUTLINE: __acp::Outline = __acp::Outline::NOTHING;
            fn table() -> &'static __acp::Table<Self> { __acp::unreachable() }
            fn defaults() -> __acp::Option<Self> { __acp::unreachable() }
            fn copied(&self) -> Self { __acp::unreachable() }
        }
    }
}

fn key(item: &Struct, field: &Field) -> Option<TokenStream> {
    let Struct { vis, krate, .. } = item;
    let (field, ty, id, description) = match field {
        Field::Option(option) => (&option.field, &option.ty, option.id.value(), option.description.clone()),
        Field::Broken { field, ty } => (field, ty, text::plain(field), None),
        Field::Flatten { field, ty } => return Some(group(item, field, ty)),
        Field::Plain { .. } => return None,
    };
    let name = key_name(field);
    let doc = description.map_or_else(|| format!("The option `{id}`.").to_token_stream(), |text| text.doc());
    Some(quote! {
        #[doc = #doc]
        #vis const #name: #krate::__private::Key<Self, #ty> =
            #krate::__private::Key::new(#id, |config| &config.#field, |config| &mut config.#field);
    })
}

fn group(item: &Struct, field: &Ident, ty: &Type) -> TokenStream {
    let Struct { vis, krate, .. } = item;
    let name = key_name(field);
    let doc = format!("The options in `{}`.", text::plain(field));
    quote! {
        #[doc = #doc]
        #vis const #name: #krate::__private::Group<Self, #ty> =
            #krate::__private::Group::new(|config| &config.#field, |config| &mut config.#field);
    }
}

/// The outline of the struct. The compiler compares it with the outlines of other structs.
fn outline(item: &Struct) -> TokenStream {
    let name = text::plain(&item.name);
    let ids = item.fields.iter().filter_map(Field::as_option).map(|option| &option.id);
    let mode = item.fields.iter().filter_map(Field::as_option).find(|option| option.mode().is_some());
    let mode = mode.map_or_else(
        || quote!(__acp::None),
        |option| {
            let id = &option.id;
            quote!(__acp::Some(#id))
        },
    );
    let whole = !item.fields.iter().any(|field| matches!(field, Field::Plain { .. }));
    let flattened = flattened(item).map(|ty| respan(quote!(__acp::flattened::<#ty>().outline), place(ty)));
    quote! {
        __acp::Outline { name: #name, ids: &[#(#ids),*], mode: #mode, whole: #whole, flattened: &[#(#flattened),*] }
    }
}

fn flattened(item: &Struct) -> impl Iterator<Item = &Type> {
    item.fields.iter().filter_map(|field| match field {
        Field::Flatten { field: _, ty } => Some(ty),
        Field::Option(_) | Field::Plain { .. } | Field::Broken { .. } => None,
    })
}

fn checks(item: &Struct) -> TokenStream {
    let name = &item.name;
    let check = respan(quote!(const _: () = __acp::check::<#name>();), place(name));
    let apart = flattened(item).enumerate().map(|(position, ty)| {
        let apart = quote!(const _: () = __acp::apart::<#name>(#position););
        respan(apart, place(ty))
    });
    let words = item.fields.iter().filter_map(Field::as_option).filter_map(word);
    quote!(#check #(#apart)* #(#words)*)
}

/// Refuses a word of `reset` if an item has the same name, because the author may mean either. In the inner scope, the
/// compiler finds the items of the author's module before the words of the outer scope.
fn word(option: &Declaration) -> Option<TokenStream> {
    let (Reset::Default(word) | Reset::First(word)) = option.rules.reset.as_ref()? else { return None };
    let plain = respan(quote!(__acp::is_word(&#word)), place(word));
    Some(quote! {
        #[allow(unused_imports)]
        const _: () = {
            use __acp::resets::*;
            {
                use self::*;
                #plain
            }
        };
    })
}

fn initial(item: &Struct) -> TokenStream {
    let Struct { form, fields, sound, .. } = item;
    let plain = fields.iter().any(|field| matches!(field, Field::Plain { .. }));
    match form {
        _ if !sound => quote!(__acp::unreachable()),
        Form::Agent if plain => quote!(__acp::None),
        Form::Agent | Form::Config => quote!(__acp::Some(Self::with_default_options())),
    }
}

fn constructor(item: &Struct) -> TokenStream {
    let Struct { form, name: _, vis, krate, members: _, fields, sound } = item;
    let private = quote!(#krate::__private);
    let parameters = fields.iter().filter_map(|field| match field {
        Field::Plain { member, ty } => Some(parameter(member, ty)),
        Field::Option(_) | Field::Flatten { .. } | Field::Broken { .. } => None,
    });
    let values = fields.iter().map(|field| initial_value(field, &private));
    let (unused, body) = match sound {
        true => (None, quote!(Self { #(#values),* })),
        false => (Some(quote!(#[allow(unused_variables)])), quote!(#private::unreachable())),
    };
    let (doc, many) = match form {
        Form::Config => ("The config with every option at its default.", None),
        Form::Agent => (
            "The function for a config with every option at its default. The other fields get the given values.",
            Some(quote!(#[allow(clippy::too_many_arguments)])),
        ),
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        #many
        #unused
        #vis fn with_default_options(#(#parameters),*) -> Self { #body }
    }
}

fn parameter(member: &Member, ty: &Type) -> TokenStream {
    let name = parameter_name(member);
    quote!(#name: #ty)
}

fn parameter_name(member: &Member) -> Ident {
    match member {
        Member::Named(name) => name.clone(),
        Member::Unnamed(position) => format_ident!("field_{}", position.index),
    }
}

fn initial_value(field: &Field, private: &TokenStream) -> TokenStream {
    let (field, ty, kind) = match field {
        Field::Option(option) => (&option.field, &option.ty, &option.kind),
        Field::Plain { member, .. } => {
            let value = parameter_name(member);
            return quote!(#member: #value);
        }
        Field::Flatten { field, ty } => {
            let options = respan(quote!(#private::flattened::<#ty>().initial()), place(ty));
            return quote!(#field: #options);
        }
        // A declaration with errors has no initial values.
        Field::Broken { .. } => return TokenStream::new(),
    };
    let value = match kind {
        Kind::Text { default, .. } => {
            let text = respan(quote!(#private::Initial::<#ty>::OF.text), place(ty));
            quote!(#text(#default))
        }
        Kind::Boolean(default @ Expr::Lit(ExprLit { lit: Lit::Bool(_), .. })) => {
            let switch = respan(quote!(#private::Initial::<#ty>::OF.switch), place(ty));
            quote!(#switch(#default))
        }
        Kind::Boolean(default) | Kind::Inferred(Some(default)) | Kind::Select(Some(default)) => quote!(#default),
        Kind::Inferred(None) | Kind::Select(None) => default_of(ty, private),
    };
    quote!(#field: #value)
}

/// The default value of the type.
fn default_of(ty: &Type, private: &TokenStream) -> TokenStream {
    respan(quote!(#private::Initial::<#ty>::OF.own()), place(ty))
}
