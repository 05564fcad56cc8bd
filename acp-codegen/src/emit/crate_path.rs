//! The path of `acp-schema` in generated code. That crate has the functions to read and write values.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::error::{Error, Result};

/// The path for agents. The runtime re-exports the crate there.
pub(crate) const OF_THE_RUNTIME: &str = "::acp_runtime::schema";

#[derive(Debug, Clone)]
pub(crate) struct CratePath(String);

impl CratePath {
    /// Reads a path that has the same meaning in every module: `::acp_schema`, `acp_schema`, `crate::schema`.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let path = syn::parse_str::<syn::Path>(text).ok();
        let is_plain = |path: &syn::Path| path.segments.iter().all(|segment| segment.arguments.is_none());
        let is_relative = |path: &syn::Path| {
            path.segments.first().is_some_and(|first| first.ident == "self" || first.ident == "super")
        };
        match path.filter(|path| is_plain(path) && !is_relative(path)) {
            Some(path) => Ok(Self(path.to_token_stream().to_string().replace(' ', ""))),
            None => Err(Error::CratePath(text.to_owned())),
        }
    }

    /// The module that generated code calls.
    pub(super) fn support(&self) -> TokenStream {
        quote!(#self::support)
    }

    /// The path of a function in that module, as a text for attributes of serde.
    pub(super) fn in_support(&self, function: &str) -> String {
        format!("{}::support::{function}", self.0)
    }

    /// A module of the crate.
    pub(crate) fn module(&self, name: &str) -> TokenStream {
        let module = super::ident(name);
        quote!(#self::#module)
    }

    /// The path, as the user wrote it.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl ToTokens for CratePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.parse::<TokenStream>().expect("it was read as a path"));
    }
}
