//! Last stage: makes items from tokens, and readable source from items.

use proc_macro2::TokenStream;

use crate::error::{Error, Location, Result};

/// The source text so far. It takes one item at a time, and keeps only text. The tokens of a large schema would need
/// gigabytes, and make all later allocations slow.
#[derive(Default)]
pub(crate) struct Text(String);

impl Text {
    /// Adds an item, with an empty line before it. prettyplease does not add one.
    pub(crate) fn add(&mut self, item: syn::Item) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        let alone = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
        self.0.push_str(&prettyplease::unparse(&alone));
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Parses the tokens as items.
pub(crate) fn items(tokens: TokenStream, location: impl FnOnce() -> Location) -> Result<Vec<syn::Item>> {
    let failed = |error: syn::Error| Error::NoRust { at: location(), what: error.to_string() };
    syn::parse2::<syn::File>(tokens).map(|file| file.items).map_err(failed)
}

/// The source of these tokens.
pub(crate) fn source(tokens: TokenStream, location: impl FnOnce() -> Location) -> Result<String> {
    let mut text = Text::default();
    items(tokens, location)?.into_iter().for_each(|item| text.add(item));
    Ok(text.finish())
}
