//! Structs: their fields, the code that reads and writes them, their constructors and setters.

mod attributes;
mod constructors;
mod reading;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::{Context, doc, doc_or, ident, types};
use crate::model::{Field, Flattened, Member, Struct};

pub(super) use reading::{Input, Whole, block as read};

/// A member of a struct or of a variant, in the generated code.
pub(super) struct Declared {
    docs: TokenStream,
    serde: TokenStream,
    pub(super) ident: Ident,
    pub(super) ty: TokenStream,
}

impl Declared {
    /// The declaration in a variant. Its visibility is that of the enum.
    pub(super) fn inherited(&self) -> TokenStream {
        let Self { docs, serde, ident, ty } = self;
        quote!(#docs #serde #ident: #ty)
    }

    /// The declaration for code that only reads, without documentation.
    pub(super) fn undocumented(&self) -> TokenStream {
        let Self { docs: _, serde, ident, ty } = self;
        quote!(#serde #ident: #ty)
    }
}

pub(super) fn structure(cx: Context<'_>, name: &Ident, structure: &Struct, docs: &TokenStream) -> TokenStream {
    let fields = declared(cx, name, structure);
    let fields = fields.iter().map(|Declared { docs, serde, ident, ty }| quote!(#docs #serde pub #ident: #ty));
    let default = structure.has_default().then(|| quote!(Default,));
    let (derive, deserialize) = match structure.is_derived() {
        true => (quote!(::serde::Deserialize,), TokenStream::new()),
        false => (TokenStream::new(), deserialize(cx, name, structure)),
    };
    let constructors = constructors::all(cx, name, structure);
    quote! {
        #docs
        #[derive(Clone, Debug, #default PartialEq, ::serde::Serialize, #derive)]
        #[non_exhaustive]
        pub struct #name { #(#fields),* }
        #deserialize
        #constructors
    }
}

/// The members of a struct, or of a variant that contains the struct's fields.
pub(super) fn declared(cx: Context<'_>, name: &Ident, structure: &Struct) -> Vec<Declared> {
    let declare = |member: Member<'_>| match member {
        Member::Field(field) => of_field(cx, structure, field),
        Member::Union(union) => of_union(name, union),
        Member::Rest(ty) => {
            let function = cx.schema.in_support("number");
            let number = cx.model.holds_fractions(ty).then(|| quote!(, serialize_with = #function));
            Declared {
                docs: quote!(#[doc = " All fields that the schema does not describe, unchanged."]),
                serde: quote!(#[serde(flatten #number)]),
                ident: ident("extra"),
                ty: types::rust(cx, ty),
            }
        }
    };
    structure.members().into_iter().map(declare).collect()
}

fn of_field(cx: Context<'_>, structure: &Struct, field: &Field) -> Declared {
    Declared {
        docs: doc_or(field.docs.as_deref(), || format!("`{}` on the wire.", field.wire)),
        serde: attributes::serde(cx, field, structure.is_derived()),
        ident: ident(&field.ident),
        ty: types::of_field(cx, field),
    }
}

fn of_union(name: &Ident, Flattened { field, union, optional }: &Flattened) -> Declared {
    let union = ident(union);
    Declared {
        docs: doc(Some(&format!("The kind of this `{name}`, and the fields of this kind."))),
        serde: quote!(#[serde(flatten)]),
        ident: ident(field),
        ty: if *optional { quote!(::std::option::Option<#union>) } else { quote!(#union) },
    }
}

/// Implements `Deserialize`. A payload without required fields may be `null` on the wire, which then means the default.
fn deserialize(cx: Context<'_>, name: &Ident, structure: &Struct) -> TokenStream {
    let text = name.to_string();
    let whole = Whole { name: &text, path: quote!(Self) };
    let function = if structure.null_is_default { "payload" } else { "object" };
    let input = Input { deserializer: quote!(deserializer), error: quote!(__D::Error) };
    let read = read(cx, &structure.fields, &whole, function, &input);
    quote! {
        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                #read
            }
        }
    }
}
