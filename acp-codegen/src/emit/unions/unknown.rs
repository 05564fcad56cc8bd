//! The content of the variant for unknown values, in an open union.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::{Context, doc, doc_or, ident, types};
use crate::model::{Other, Type};
use crate::remarks::{is_remarked, remark};

pub(super) fn name(union: &str, other: &Other) -> Ident {
    ident(&other.type_name(union))
}

/// Writes the struct for the tag and all fields beside it.
pub(super) fn structure(
    cx: Context<'_>,
    union: &str,
    tag: &str,
    known: &[&String],
    other: &Other,
    draft: bool,
) -> TokenStream {
    let (name, support) = (name(union, other), cx.schema.support());
    let text = format!("A `{union}` that this version of the protocol does not know. It is kept unchanged.");
    let draft = draft || other.docs.as_deref().is_some_and(is_remarked);
    let docs = doc(Some(&if draft { remark(Some(&text)) } else { text }));
    let tag_ident = ident(&other.tag_ident);
    let tag_docs = doc_or(other.tag_docs.as_deref(), || format!("The unknown `{tag}`."));
    let Other { required, also, .. } = other;
    let typed = required.iter().filter(|(_, payload)| *payload != Type::Any).map(|(key, payload)| {
        let payload = types::rust(cx, payload);
        quote! {
            if let ::std::option::Option::Some(value) = fields.get(#key) {
                <#payload as ::serde::Deserialize>::deserialize(value).map_err(::serde::de::Error::custom)?;
            }
        }
    });
    let required: Vec<_> = required.iter().map(|(key, _)| key).collect();
    let also = also.as_ref().map(|also| {
        let also = ident(also);
        quote!(<#also as ::serde::Deserialize>::deserialize(&fields).map_err(::serde::de::Error::custom)?;)
    });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
        #[non_exhaustive]
        pub struct #name {
            #tag_docs
            #[serde(rename = #tag)]
            pub #tag_ident: ::std::string::String,
            /// All fields beside it.
            #[serde(flatten)]
            pub fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
        }

        impl #name {
            /// Keeps `fields` under a tag that is not known.
            #[must_use]
            pub fn new(
                #tag_ident: impl ::std::convert::Into<::std::string::String>,
                mut fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
            ) -> Self {
                fields.remove(#tag);
                Self { #tag_ident: #tag_ident.into(), fields }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for #name {
            fn deserialize<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> ::std::result::Result<Self, __D::Error> {
                let (#tag_ident, fields) =
                    #support::unknown(deserializer, #tag, &[#(#known),*], &[#(#required),*])?;
                #(#typed)*
                #also
                ::std::result::Result::Ok(Self { #tag_ident, fields })
            }
        }
    }
}
