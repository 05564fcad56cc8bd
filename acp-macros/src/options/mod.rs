//! `#[derive(ConfigOptions)]`, and the hidden derive that reads the options of an agent's own struct. Both read the
//! same attributes (`raw`), refuse the same mistakes (`valid`) and write the same table (`expand`). [`Form`] tells the
//! difference between them.

mod expand;
mod raw;
mod rows;
mod valid;

#[cfg(test)]
pub(crate) use raw::{Keys, RESETS, StructKeys, Values};

pub(crate) use expand::nothing;
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::derived::{Derived, derived};
use crate::threads;

/// The form of the struct with the options.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// A config struct: every field is an option.
    Config,
    /// The agent itself (the small form). The marked fields are options, and the other fields are plain state.
    Agent,
}

/// The implementation for `item`, and its errors. Keys, trait and constructor exist even after a mistake, so that the
/// author's other code gets no second error.
pub(crate) fn derive(item: TokenStream, form: Form) -> TokenStream {
    derived(item, |item, reading| {
        let raw = raw::Struct::read(item, form, reading);
        let krate = raw.krate.clone();
        let valid = valid::Struct::check(raw, reading.sink);
        let implementation = valid.map_or_else(|| fallback(item, form, &krate), |valid| expand::expand(&valid));
        Derived { krate, implementation }
    })
}

fn fallback(item: &DeriveInput, form: Form, krate: &TokenStream) -> TokenStream {
    let DeriveInput { ident, generics, .. } = item;
    let nothing = nothing(ident, generics, &threads::bounds_of(generics));
    let own = match form {
        Form::Agent => expand::own_config(ident, [&quote!(Self), &quote!(Self)]),
        // Only this form of the function is known without the fields.
        Form::Config => expand::no_defaults(item),
    };
    quote!(const _: () = { use #krate::__private as __acp; #nothing #own };)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A language server sends such tokens while the author types. The trait and the keys must stay. Without them, the
    /// server completes no names.
    #[test]
    fn options_survive_what_is_half_typed() {
        for half in ["ki", "kind", "kind =", "kind = \"bool", "kind = \"boolean\", def", "default = false, ", "values("]
        {
            let quoted = if half.matches('"').count() % 2 == 1 { format!("{half}\"") } else { half.to_owned() };
            // The compiler closes brackets before a macro gets them.
            let closed = if quoted.ends_with('(') { format!("{quoted})") } else { quoted };
            let item = format!(
                "struct Config {{ #[config_option({closed})] shout: bool, #[config_option(default = true)] loud: bool }}"
            );
            let tokens = derive(item.parse().unwrap(), Form::Config).to_string();
            for kept in ["ConfigOptions for Config", "const SHOUT", "const LOUD"] {
                assert!(tokens.contains(kept), "`{closed}` lost `{kept}`: {tokens}");
            }
            assert!(syn::parse_str::<syn::File>(&tokens).is_ok(), "`{closed}` gave {tokens}");
        }
    }

    #[test]
    fn a_field_that_is_half_typed_is_one_error() {
        let tokens = derive("struct Config { loud: bool, sh }".parse().unwrap(), Form::Config).to_string();
        assert_eq!(tokens.matches("compile_error").count(), 1, "{tokens}");
    }
}
