//! The struct and the keys of its `#[acp_agent(..)]` as written: parsed, not yet judged.

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Expr, Ident, Path, Token, Type, parenthesized};

use super::auth;
use crate::diagnostics::Sink;
use crate::keys::{self, Keyed};
use crate::words::Vocabulary;

pub(crate) const KEYS: Vocabulary = Vocabulary {
    module: "agent",
    words: &["name", "title", "version", "config", "session", "auth", "capabilities", "ext_listing", "local", "crate"],
};
/// What no handler implies; the names are those of the runtime's `Identity`.
pub(crate) const CAPABILITIES: Vocabulary = Vocabulary {
    module: "capabilities",
    words: &["image", "audio", "embedded_context", "mcp_http", "mcp_sse", "additional_directories"],
};

pub(super) struct Declaration {
    pub(super) item: DeriveInput,
    pub(super) keys: Keys,
}

#[derive(Default)]
pub(super) struct Keys {
    pub(super) name: Option<Keyed<Expr>>,
    pub(super) title: Option<Keyed<Expr>>,
    pub(super) version: Option<Keyed<Expr>>,
    pub(super) config: Option<Keyed<Type>>,
    pub(super) session: Option<Keyed<Type>>,
    pub(super) auth: Vec<auth::Method>,
    pub(super) capabilities: Vec<Ident>,
    pub(super) ext_listing: Option<Keyed<Expr>>,
    /// The word.
    pub(super) local: Option<Ident>,
    /// `crate = path`.
    pub(super) krate: Option<Keyed<Path>>,
}

impl Declaration {
    pub(super) fn read(arguments: TokenStream, item: DeriveInput, sink: &Sink) -> Self {
        let mut keys = Keys::default();
        keys::read_arguments(arguments, &KEYS, sink, |key, input| keys.read(key, input, sink));
        Self { item, keys }
    }
}

impl Keys {
    fn read(&mut self, key: &Ident, input: ParseStream<'_>, sink: &Sink) -> syn::Result<()> {
        match key.to_string().as_str() {
            "name" => self.name = Some(keys::assigned(key, input)?),
            "title" => self.title = Some(keys::assigned(key, input)?),
            "version" => self.version = Some(keys::assigned(key, input)?),
            "config" => self.config = Some(keys::assigned(key, input)?),
            "session" => self.session = Some(keys::assigned(key, input)?),
            "auth" => self.auth = auth::read(input, sink)?,
            "capabilities" => self.capabilities = capabilities(input, sink)?,
            "ext_listing" => self.ext_listing = Some(keys::assigned(key, input)?),
            "local" => self.local = Some(flag(key, input, sink)?),
            "crate" => self.krate = Some(keys::assigned(key, input)?),
            other => unreachable!("`{other}` is not among the keys"),
        }
        Ok(())
    }
}

/// A key that says all by being there.
fn flag(key: &Ident, input: ParseStream<'_>, sink: &Sink) -> syn::Result<Ident> {
    if input.peek(Token![=]) {
        let Keyed { key, value } = keys::assigned::<Expr>(key, input)?;
        sink.error(value, format_args!("`{key}` takes no value"))
            .help(format_args!("write `{key}` alone, or leave it out"));
    }
    Ok(key.clone())
}

/// `(image, audio)`.
fn capabilities(input: ParseStream<'_>, sink: &Sink) -> syn::Result<Vec<Ident>> {
    let content;
    parenthesized!(content in input);
    let list = sink.words.list(&CAPABILITIES);
    let words: Vec<_> = Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect();
    words.iter().for_each(|word| list.add(word));
    Ok(words)
}
