//! `new(required..)` and one setter for each optional field.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::{Context, doc, ident, summary, types};
use crate::model::{Field, Flattened, Member, Presence, Struct};

pub(super) fn all(cx: Context<'_>, name: &Ident, structure: &Struct) -> TokenStream {
    let members = structure.members();
    let new = new(cx, name, structure, &members);
    let setters = members.iter().map(|member| match member {
        Member::Field(field) => of_field(cx, field),
        Member::Union(Flattened { optional: false, .. }) => TokenStream::new(),
        Member::Union(Flattened { field, union, optional: true }) => {
            let docs = doc(Some(&format!("Sets the kind of this `{name}`.")));
            let union = ident(union);
            optional(cx, &docs, &ident(field), &quote!(#union))
        }
        Member::Rest(ty) => {
            let docs = doc(Some("Sets all fields that the schema does not describe."));
            let ty = types::rust(cx, ty);
            let extra = ident("extra");
            setter(&docs, &extra, &ty, &quote!(#extra))
        }
    });
    quote! {
        impl #name {
            #new
            #(#setters)*
        }
    }
}

fn new(cx: Context<'_>, name: &Ident, structure: &Struct, members: &[Member<'_>]) -> TokenStream {
    let docs = if structure.has_default() {
        format!(" A new `{name}` in which nothing is set.")
    } else {
        format!(" A new `{name}` of what is required; the rest is not set.")
    };
    let mut parameters = Vec::new();
    let mut values = Vec::new();
    for member in members {
        let (ident, argument) = match member {
            Member::Field(field) => (ident(&field.ident), argument(cx, field)),
            Member::Union(union) => {
                let (ident, ty) = (ident(&union.field), ident(&union.union));
                let into = (quote!(impl ::std::convert::Into<#ty>), quote!(#ident: #ident.into()));
                (ident, into)
            }
            Member::Rest(_) => (ident("extra"), Default::default()),
        };
        if member.is_required() {
            let (ty, value) = argument;
            parameters.push(quote!(#ident: #ty));
            values.push(value);
        } else {
            values.push(quote!(#ident: ::std::default::Default::default()));
        }
    }
    quote! {
        #[doc = #docs]
        #[must_use]
        pub fn new(#(#parameters),*) -> Self {
            Self { #(#values),* }
        }
    }
}

/// The type of the parameter for a field, and the expression that makes the field from it.
fn argument(cx: Context<'_>, field: &Field) -> (TokenStream, TokenStream) {
    let (ident, ty) = (ident(&field.ident), types::of_field(cx, field));
    if field.is_bare() && cx.model.converts(&field.ty) {
        return (quote!(impl ::std::convert::Into<#ty>), quote!(#ident: #ident.into()));
    }
    (ty, quote!(#ident))
}

fn of_field(cx: Context<'_>, field: &Field) -> TokenStream {
    let docs = summary(field.docs.as_deref(), &field.wire);
    let name = ident(&field.ident);
    match field.presence {
        // A constant has only one value, so its field has no setter and is no argument.
        Presence::Required | Presence::Constant => TokenStream::new(),
        Presence::Optional => optional(cx, &docs, &name, &types::rust(cx, &field.ty)),
        Presence::ThreeState => {
            let (schema, inner) = (cx.schema, types::rust(cx, &field.ty));
            let ty = quote!(impl #schema::IntoMaybeUndefined<#inner>);
            setter(&docs, &name, &ty, &quote!(#name.into_maybe_undefined()))
        }
        Presence::Defaulted { .. } => {
            let ty = types::rust(cx, &field.ty);
            match cx.model.converts(&field.ty) {
                true => setter(&docs, &name, &quote!(impl ::std::convert::Into<#ty>), &quote!(#name.into())),
                false => setter(&docs, &name, &ty, &quote!(#name)),
            }
        }
    }
}

fn optional(cx: Context<'_>, docs: &TokenStream, name: &Ident, inner: &TokenStream) -> TokenStream {
    let schema = cx.schema;
    setter(docs, name, &quote!(impl #schema::IntoOption<#inner>), &quote!(#name.into_option()))
}

fn setter(docs: &TokenStream, name: &Ident, ty: &TokenStream, value: &TokenStream) -> TokenStream {
    quote! {
        #docs
        #[must_use]
        pub fn #name(mut self, #name: #ty) -> Self {
            self.#name = #value;
            self
        }
    }
}
