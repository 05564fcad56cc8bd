//! The code that a declaration stands for: its keys, its table, its defaults. Work belongs in the runtime; what is
//! written here an author reads in `cargo expand`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Ident, Member, Type};

use super::Form;
use super::valid::{Declaration, Field, Kind, Struct, Value};
use crate::diagnostics::{place, respan};
use crate::text;

pub(super) fn expand(item: &Struct) -> TokenStream {
    let Struct { form, name, vis: _, krate, fields, sound: _ } = item;
    let keys = fields.iter().filter_map(|field| key(item, field));
    let constructor = match form {
        Form::Config => None,
        Form::Agent => Some(constructor(item)),
    };
    let table = fields.iter().filter_map(Field::as_option).map(row);
    let initial = initial(item);
    let here = place(name);
    let copy = quote_spanned!(here=> <Self as __acp::Snapshot>::copy(self));
    let check = respan(quote!(const _: () = __acp::check::<#name>();), here);
    quote! {
        #[allow(dead_code, deprecated, private_interfaces)]
        impl #name {
            #(#keys)*
            #constructor
        }
        const _: () = {
            use #krate::__private as __acp;
            #[automatically_derived]
            #[allow(deprecated)]
            impl __acp::ConfigOptions for #name {
                const OPTIONS: &'static [__acp::OptionDeclaration<Self>] = &[#(#table),*];
                fn initial() -> __acp::Option<Self> { #initial }
                fn snapshot(&self) -> Self { #copy }
            }
            #check
        };
    }
}

fn key(item: &Struct, field: &Field) -> Option<TokenStream> {
    let Struct { vis, krate, .. } = item;
    let (field, ty, id, description) = match field {
        Field::Option(option) => (&option.field, &option.ty, option.id.value(), option.description.clone()),
        Field::Broken { field, ty } => (field, ty, text::plain(field), None),
        Field::Plain { .. } => return None,
    };
    let name = key_name(field);
    let doc = description.unwrap_or_else(|| format!("The option `{id}`."));
    Some(quote! {
        #[doc = #doc]
        #vis const #name: #krate::__private::Key<Self, #ty> =
            #krate::__private::Key::new(#id, |config| &config.#field, |config| &mut config.#field);
    })
}

fn key_name(field: &Ident) -> Ident {
    Ident::new(&text::plain(field).to_uppercase(), place(field))
}

/// One row of the table. It stands at the type, which is what a bound of it may refuse.
fn row(option: &Declaration) -> TokenStream {
    let Declaration { field, ty, id: _, label, description, category, kind } = option;
    let key = key_name(field);
    let here = place(ty);
    let start = match kind {
        Kind::Inferred(_) => quote!(of::<#ty>(&Self::#key, #label)),
        Kind::Boolean(_) => quote!(boolean::<#ty>(&Self::#key, #label)),
        Kind::Select(_) => quote!(select::<#ty>(&Self::#key, #label)),
        Kind::Text { values, default } => return text_row(option, values, default),
    };
    let start = respan(quote!(__acp::OptionDeclaration::<Self>::#start), here);
    let more = more(description, category);
    quote!(#start #more)
}

fn text_row(option: &Declaration, values: &[Value], default: &Expr) -> TokenStream {
    let Declaration { field, ty, id, label, description, category, kind: _ } = option;
    let key = key_name(field);
    let row = respan(quote!(__acp::OptionDeclaration::<Self>::text::<#ty>), place(ty));
    let values = values.iter().map(|Value { id, label }| quote!(__acp::ValueDeclaration::new(#id, #label)));
    let values = quote!(&[#(#values),*]);
    let more = more(description, category);
    if matches!(default, Expr::Lit(_)) {
        return quote!(#row(&Self::#key, #label, #values, #default) #more);
    }
    // A constant is compared when it is known; the call stands at it, so that the refusal does.
    let default = respan(quote!(__acp::among(#id, __ACP_VALUES, #default)), place(default));
    quote!({
        const __ACP_VALUES: &[__acp::ValueDeclaration<'static>] = #values;
        #row(&Self::#key, #label, __ACP_VALUES, #default) #more
    })
}

fn more(description: &Option<String>, category: &Option<String>) -> TokenStream {
    let description = description.as_ref().map(|text| quote!(.description(#text)));
    let category = category.as_ref().map(|category| quote!(.category(#category)));
    quote!(#description #category)
}

fn initial(item: &Struct) -> TokenStream {
    let Struct { form, fields, sound, .. } = item;
    let plain = fields.iter().any(|field| matches!(field, Field::Plain { .. }));
    match form {
        _ if !sound => quote!(__acp::unreachable()),
        Form::Agent if plain => quote!(__acp::None),
        Form::Agent => quote!(__acp::Some(Self::with_default_options())),
        Form::Config => {
            let values = fields.iter().map(|field| initial_value(field, &quote!(__acp)));
            quote!(__acp::Some(Self { #(#values),* }))
        }
    }
}

fn constructor(item: &Struct) -> TokenStream {
    let Struct { form: _, name: _, vis, krate, fields, sound } = item;
    let private = quote!(#krate::__private);
    let parameters = fields.iter().filter_map(|field| match field {
        Field::Plain { member, ty } => Some(parameter(member, ty)),
        Field::Option(_) | Field::Broken { .. } => None,
    });
    let values = fields.iter().map(|field| initial_value(field, &private));
    let (unused, body) = match sound {
        true => (None, quote!(Self { #(#values),* })),
        false => (Some(quote!(#[allow(unused_variables)])), quote!(#private::unreachable())),
    };
    quote! {
        /// Every option at its default; the other fields as given.
        #[must_use]
        #[allow(clippy::too_many_arguments)]
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
        // Only what is sound has initial values.
        Field::Broken { .. } => return TokenStream::new(),
    };
    let value = match kind {
        Kind::Text { default, .. } => {
            let text = respan(quote!(<#ty as #private::IsText>::from_id), place(ty));
            quote!(#text(#default))
        }
        Kind::Boolean(default) | Kind::Inferred(Some(default)) | Kind::Select(Some(default)) => quote!(#default),
        Kind::Inferred(None) | Kind::Select(None) => {
            respan(quote!(<#ty as #private::HasDefault>::initial()), place(ty))
        }
    };
    quote!(#field: #value)
}
