//! The messages of each side: requests, responses and notifications. They are enums that know their method.
//!
//! Messages are decoded by the method's name. To try one type after the other would be wrong, because many payloads
//! fit several types.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, doc_or, ident};
use crate::model::{Envelope, EnvelopeKind, Kind, Model, Payload, Shape, Side};
use crate::remarks::remark;

pub(super) fn all(cx: Context<'_>) -> TokenStream {
    let protocol_level = protocol_level(cx.model);
    cx.model.envelopes.iter().chain(&protocol_level).map(|envelope| one(cx, envelope)).collect()
}

/// The messages that both sides send. They have no definition, because they stand inside the root of the schema.
fn protocol_level(model: &Model) -> Option<Envelope> {
    let name = "ProtocolLevelNotification";
    let is_free = model.get(name).is_none() && model.envelopes.iter().all(|envelope| envelope.name != name);
    let methods = model.methods.iter().filter(|m| (m.side, m.kind) == (Side::Protocol, Kind::Notification));
    let payloads: Vec<Payload> = methods
        .map(|method| Payload {
            variant: method.params.clone(),
            definition: method.params.clone(),
            docs: if method.draft { Some(remark(method.docs.as_deref())) } else { method.docs.clone() },
        })
        .collect();
    let docs = "Every notification about messages themselves, which both sides send. The names of their methods start \
                with `$/`; a side that does not know one ignores it.";
    let kind = EnvelopeKind::Notification;
    (is_free && !payloads.is_empty()).then(|| Envelope {
        name: name.to_owned(),
        docs: Some(docs.to_owned()),
        kind,
        payloads,
    })
}

fn one(cx: Context<'_>, envelope: &Envelope) -> TokenStream {
    let (model, schema) = (cx.model, cx.schema);
    let name = ident(&envelope.name);
    let what = match envelope.kind {
        EnvelopeKind::Request => "request",
        EnvelopeKind::Response => "response",
        EnvelopeKind::Notification => "notification",
    };
    let docs = doc_or(envelope.docs.as_deref(), || format!("Every {what} that one side sends."));
    let variants = envelope.payloads.iter().map(|payload| {
        let docs = doc_or(payload.docs.as_deref(), || format!("Carries `{}`.", payload.definition));
        let (variant, ty) = (ident(&payload.variant), ident(&payload.definition));
        quote!(#docs #variant(#ty))
    });
    let from = envelope.payloads.iter().filter(|payload| !is_raw(model, payload)).map(|payload| {
        let (variant, ty) = (ident(&payload.variant), ident(&payload.definition));
        quote! {
            impl ::std::convert::From<#ty> for #name {
                fn from(payload: #ty) -> Self {
                    Self::#variant(payload)
                }
            }
        }
    });
    let method = (envelope.kind != EnvelopeKind::Response).then(|| method(model, envelope));
    let payload = (envelope.kind != EnvelopeKind::Response).then(|| {
        quote! {
            impl #schema::Payload for #name {
                fn method(&self) -> &str {
                    Self::method(self)
                }
            }
        }
    });
    let parse = parse(cx, envelope, what);
    quote! {
        #docs
        #[derive(Clone, Debug, ::serde::Serialize)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
        #[non_exhaustive]
        pub enum #name { #(#variants,)* }

        impl #name {
            #method
            #parse
        }
        #payload
        #(#from)*
    }
}

fn method(model: &Model, envelope: &Envelope) -> TokenStream {
    let arms = envelope.payloads.iter().map(|payload| {
        let variant = ident(&payload.variant);
        match wire(model, payload) {
            Some(wire) => quote!(Self::#variant(_) => #wire),
            None => quote!(Self::#variant(payload) => &payload.method),
        }
    });
    quote! {
        /// The name of the message's method.
        #[must_use]
        pub fn method(&self) -> &str {
            match self { #(#arms,)* }
        }
    }
}

fn parse(cx: Context<'_>, envelope: &Envelope, what: &str) -> TokenStream {
    let (model, support) = (cx.model, cx.schema.support());
    let response = envelope.kind == EnvelopeKind::Response;
    let arms = envelope.payloads.iter().filter_map(|payload| {
        let (variant, ty) = (ident(&payload.variant), ident(&payload.definition));
        let wire = wire(model, payload)?;
        Some(quote!(#wire => <#ty as ::serde::Deserialize>::deserialize(payload).map(Self::#variant)))
    });
    let extension = envelope.payloads.iter().find(|payload| is_raw(model, payload)).map(|payload| {
        let (variant, ty) = (ident(&payload.variant), ident(&payload.definition));
        let value = if response { quote!(#ty::new(raw)) } else { quote!(#ty::new(extension, raw)) };
        quote! {
            extension if extension.starts_with('_') => {
                #support::shared_raw(payload).map(|raw| Self::#variant(#value))
            }
        }
    });
    let docs = format!(
        "Decodes the {what} of a method.\n\nReturns `None` if the method is neither one of these nor an extension, \
         whose name starts with `_`."
    );
    let docs = super::doc(Some(&docs));
    quote! {
        #docs
        ///
        /// # Errors
        ///
        /// The error of the deserializer, if the payload does not have the form that the method requires.
        pub fn parse<'de, D: ::serde::Deserializer<'de>>(
            method: &str,
            payload: D,
        ) -> ::std::option::Option<::std::result::Result<Self, D::Error>> {
            ::std::option::Option::Some(match method {
                #(#arms,)*
                #extension
                _ => return ::std::option::Option::None,
            })
        }
    }
}

fn is_raw(model: &Model, payload: &Payload) -> bool {
    model.get(&payload.definition).is_some_and(|definition| matches!(definition.shape, Shape::Raw(_)))
}

fn wire<'a>(model: &'a Model, payload: &Payload) -> Option<&'a str> {
    model.method_of(&payload.definition).map(|method| method.wire.as_str())
}
