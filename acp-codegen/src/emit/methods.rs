//! The method table: a marker type for every method, and the names as constants.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::{Context, doc, ident};
use crate::model::{Kind, Method, Model, Side, handler_marker};
use crate::remarks::remark;

pub(super) fn all(cx: Context<'_>) -> TokenStream {
    let model = cx.model;
    let markers = model.methods.iter().map(|method| marker(cx, method));
    let names = [Side::Agent, Side::Client, Side::Protocol, Side::Proxy].map(|side| names(model, side));
    quote! {
        /// One type for every method. It names the other types of the method.
        pub mod methods {
            #(#markers)*
        }
        #(#names)*
    }
}

fn marker(cx: Context<'_>, method: &Method) -> TokenStream {
    let Method { wire, handler, side, kind, params, response, docs, draft } = method;
    let what = match kind {
        Kind::Request => "request",
        Kind::Notification => "notification",
    };
    let receives = match side {
        Side::Agent => "the agent receives",
        Side::Client => "the client receives",
        Side::Protocol => "both sides receive",
        Side::Proxy => "a proxy between the two receives",
    };
    let headline = format!("`{wire}`, a {what} that {receives}.");
    let text = docs.as_ref().map_or_else(|| headline.clone(), |docs| format!("{headline}\n\n{docs}"));
    let docs = doc(Some(&if *draft { remark(Some(&text)) } else { text }));
    let fields = cx.model.keys_of(params).map(|keys| {
        quote!(const FIELDS: ::std::option::Option<&'static [&'static str]> = ::std::option::Option::Some(&[#(#keys),*]);)
    });
    let (name, params) = (ident(&handler_marker(handler)), ident(params));
    let (side, kind) = (ident(side.rust()), ident(kind.rust()));
    let response = match response {
        Some(response) => {
            let response = ident(response);
            quote!(super::#response)
        }
        None => quote!(()),
    };
    let schema = cx.schema;
    let bounds = bounds(method).into_iter().map(|bound| {
        let bound = ident(bound);
        quote!(impl #schema::#bound for #name {})
    });
    quote! {
        #docs
        #[derive(Clone, Copy, Debug)]
        pub struct #name;

        impl #schema::Method for #name {
            const NAME: &'static str = #wire;
            const HANDLER: &'static str = #handler;
            const SIDE: #schema::Side = #schema::Side::#side;
            const KIND: #schema::MethodKind = #schema::MethodKind::#kind;
            #fields
            type Params = super::#params;
            type Response = #response;
        }

        #(#bounds)*
    }
}

/// The traits that say what a method is, for the bounds of functions that call it.
fn bounds(method: &Method) -> Vec<&'static str> {
    let mut bounds = vec![match method.kind {
        Kind::Request => "RequestMethod",
        Kind::Notification => "NotificationMethod",
    }];
    if matches!(method.side, Side::Agent | Side::Protocol) {
        bounds.push("AgentMethod");
    }
    if matches!(method.side, Side::Client | Side::Protocol) {
        bounds.push("ClientMethod");
    }
    bounds
}

/// The names of the methods of one side: a struct, and a constant of this struct.
fn names(model: &Model, side: Side) -> TokenStream {
    let mut methods: Vec<&Method> = model.methods.iter().filter(|method| method.side == side).collect();
    // A request and a notification may have the same name.
    let mut seen = HashSet::new();
    methods.retain(|method| seen.insert(&method.wire));
    if methods.is_empty() {
        return TokenStream::new();
    }
    let (ty, constant, who) = match side {
        Side::Agent => ("AgentMethodNames", "AGENT_METHOD_NAMES", "agents handle"),
        Side::Client => ("ClientMethodNames", "CLIENT_METHOD_NAMES", "clients handle"),
        Side::Protocol => ("GeneralMethodNames", "PROTOCOL_LEVEL_METHOD_NAMES", "both sides handle"),
        Side::Proxy => ("ProxyMethodNames", "PROXY_METHOD_NAMES", "proxies between the two handle"),
    };
    let (ty, constant) = (ident(ty), ident(constant));
    let draft = |text: String, draft: bool| doc(Some(&if draft { remark(Some(&text)) } else { text }));
    let docs = draft(format!("Names of the methods that {who}."), methods.iter().all(|method| method.draft));
    let fields: Vec<_> = methods.iter().map(|method| ident(&method.field())).collect();
    let wires: Vec<&str> = methods.iter().map(|method| method.wire.as_str()).collect();
    let docs_of = methods.iter().map(|method| draft(format!("`{}`.", method.wire), method.draft));
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct #ty { #(#docs_of pub #fields: &'static str,)* }

        #docs
        pub const #constant: #ty = #ty { #(#fields: #wires,)* };
    }
}
