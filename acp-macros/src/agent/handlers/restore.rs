//! `restore_session`: a client opens a stored session again. No message names the function, because two methods run it. It is
//! an arm of its own, as a command is.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Ident;

use super::arm::{Arm, Handler};
use crate::diagnostics::place;
use crate::text;

const FUNCTION: &str = "restore_session";

/// Whether a function of this name is that function.
pub(super) fn is_meant(name: &Ident) -> bool {
    text::plain(name) == FUNCTION
}

/// Whether the function was probably meant by this name.
pub(super) fn is_slip(name: &Ident) -> bool {
    let name = text::plain(name).to_snake_case();
    name == "restore" || strsim::osa_distance(&name, FUNCTION) <= 2
}

pub(super) struct Restore;

impl Arm for Restore {
    fn wire(&self) -> String {
        FUNCTION.to_owned()
    }

    fn marker(&self) -> TokenStream {
        format_ident!("{FUNCTION}").into_token_stream()
    }

    /// The author's subscriber is told of a function that no message calls by its own name.
    fn called(&self) -> TokenStream {
        FUNCTION.to_token_stream()
    }

    fn pattern(&self) -> Option<TokenStream> {
        None
    }

    fn is_called(&self) -> bool {
        true
    }

    fn opens_session(&self) -> bool {
        true
    }

    fn of_part(&self, handler: &Handler) -> Option<TokenStream> {
        let name = &handler.name;
        let (marker, body) = (handler.marker(), handler.body(&quote!(__A)));
        // The future's missing bounds are reported at the function.
        let run = quote_spanned!(place(name)=> run);
        Some(quote! {
            restore_session({
                const RUN: fn(__acp::Admitted<'_, __A, #marker>) = |call| {
                    type __M = #marker;
                    call.#run(__A::ACP_THREADING, #body)
                };
                RUN
            })
        })
    }

    fn checks(&self, handler: &Handler) -> Vec<TokenStream> {
        vec![quote_spanned!(place(&handler.name)=> __acp::is_stored::<__A>();)]
    }
}
