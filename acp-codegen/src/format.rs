//! Last stage: tokens as readable source.

use proc_macro2::TokenStream;

use crate::error::{Error, Location, Result};

pub(crate) fn source(tokens: TokenStream, location: impl FnOnce() -> Location) -> Result<String> {
    match syn::parse2::<syn::File>(tokens) {
        Ok(file) => Ok(paragraphs(file)),
        Err(error) => Err(Error::Typify { at: location(), what: format!("the generated code is no Rust: {error}") }),
    }
}

/// One item after the other with an empty line in between, which prettyplease leaves out.
fn paragraphs(file: syn::File) -> String {
    let items = file.items.into_iter().map(|item| {
        let alone = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
        prettyplease::unparse(&alone)
    });
    items.collect::<Vec<_>>().join("\n")
}
