//! `restore_session`: a client opens a stored session again. No message names the function, because two methods run it. It is
//! an arm of its own, as a command is.

use heck::ToSnakeCase;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::valid::{Handler, Serves};
use crate::diagnostics::place;
use crate::text;

pub(super) const FUNCTION: &str = "restore_session";
/// The name by which the runtime finds the function. No method has a `*`.
pub(super) const ARM: &str = "*restore_session";

/// The handlers whose methods a store serves.
const SERVED: &[&str] = &["load_session", "resume_session", "list_sessions"];

/// Whether a function of this name is that function.
pub(super) fn is_meant(name: &Ident) -> bool {
    text::plain(name) == FUNCTION
}

/// Whether the function was probably meant by this name.
pub(super) fn is_slip(name: &Ident) -> bool {
    let name = text::plain(name).to_snake_case();
    name == "restore" || strsim::osa_distance(&name, FUNCTION) <= 2
}

/// The check that the function, or a handler whose method a store serves, suits the struct.
pub(super) fn check(handler: &Handler) -> Option<TokenStream> {
    let here = place(&handler.name);
    let called = match &handler.serves {
        Serves::Restore => quote_spanned!(here=> __acp::is_stored::<__A>();),
        Serves::Method(method) if SERVED.contains(&method.handler) => {
            let name = method.handler;
            quote_spanned!(here=> __acp::is_not_stored::<__A>(#name);)
        }
        _ => return None,
    };
    let cfgs = &handler.cfgs;
    Some(quote!(#(#cfgs)* #called))
}
