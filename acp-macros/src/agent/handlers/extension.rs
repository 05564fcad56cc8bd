//! `#[ext(..)]`, `#[method(..)]` and `#[fallback]`: methods that the schema does not know.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use super::arm::{Arm, List};
use super::role::ROLE;
use super::{claimed, params};
use crate::diagnostics::{Sink, place};
use crate::handlers::conditions;
use crate::handlers::extensions::{Ext, Extended, Kind};
use crate::handlers::raw::Function;

pub(super) struct Extension {
    method: Extended,
    description: TokenStream,
}

impl Extension {
    pub(super) fn check(ext: &Ext, function: &Function, sink: &Sink) -> Option<Self> {
        let method = ext.method.as_ref().filter(|method| method.check(&ROLE, sink))?.clone();
        if !claimed::is_free_of_method(&function.signature.ident, &method, sink)
            || !params::check(&method, function, sink)
        {
            return None;
        }
        Some(Self { method, description: conditions::description(&function.attributes) })
    }
}

impl Arm for Extension {
    fn wire(&self) -> String {
        self.method.wire()
    }

    fn marker(&self) -> TokenStream {
        self.method.marker()
    }

    fn called(&self) -> TokenStream {
        self.method.name()
    }

    fn pattern(&self) -> Option<TokenStream> {
        Some(self.called())
    }

    fn is_listed(&self) -> bool {
        false
    }

    fn is_notification(&self) -> bool {
        self.method.kind() == Some(Kind::Notification)
    }

    fn opens_session(&self) -> bool {
        self.method.opens()
    }

    fn marked(&mut self) -> Option<&mut Path> {
        match &mut self.method {
            Extended::Marked(path) => Some(path),
            _ => None,
        }
    }

    fn doubled(&self, _: bool) -> Option<(TokenStream, String)> {
        Some((self.method.to_token_stream(), self.method.doubled()))
    }

    fn entry(&self) -> Option<(List, TokenStream)> {
        let Self { method, description } = self;
        let (here, arm) = (place(method), method.wire());
        let kind = match method.kind() {
            Some(Kind::Notification) => quote!(notification),
            Some(Kind::Request | Kind::Opener) | None => quote!(request),
        };
        let route = |prefix: &str| (List::Routes, quote_spanned!(here=> __acp::Route::#kind(#prefix, #arm)));
        let extension = |new| (List::Extensions, quote_spanned!(here=> __acp::Extension::#new));
        Some(match method {
            Extended::Named { name, capability, .. } => {
                let capability = capability.as_ref().map(|word| quote!(.capability(#word)));
                extension(quote!(#kind(#name, #description) #capability))
            }
            Extended::Marked(path) => extension(quote_spanned!(here=> of::<#path>(#description))),
            Extended::Prefixed { prefix, .. } => route(&prefix.value()),
            Extended::Fallback { .. } => route(""),
        })
    }

    fn is_extension(&self) -> bool {
        self.method.kind().is_some()
    }
}
