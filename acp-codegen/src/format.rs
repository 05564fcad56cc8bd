//! Last stage: tokens as readable source.

use proc_macro2::TokenStream;

use crate::error::{Error, Location, Result};

pub(crate) fn source(tokens: TokenStream, location: impl FnOnce() -> Location) -> Result<String> {
    match syn::parse2::<syn::File>(tokens) {
        Ok(file) => Ok(prettyplease::unparse(&file)),
        Err(error) => Err(Error::Typify { at: location(), what: format!("the generated code is no Rust: {error}") }),
    }
}
