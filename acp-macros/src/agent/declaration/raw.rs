//! The struct and the keys of its `#[acp_agent(..)]` as written: parsed, not yet judged.

use proc_macro2::TokenStream;
use syn::{DeriveInput, Expr, ExprLit, Ident, Lit, LitStr, Meta, MetaNameValue, Path, Type};

use super::auth;
use crate::diagnostics::Sink;
use crate::keys::{self, Element, Entry, Given, Keyed};
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

const TEXT: &str = "a text in quotes, or a constant";

pub(super) struct Declaration {
    pub(super) item: DeriveInput,
    pub(super) keys: Keys,
}

#[derive(Default)]
pub(super) struct Keys {
    pub(super) name: Option<Given<Expr>>,
    pub(super) title: Option<Given<Expr>>,
    pub(super) version: Option<Given<Expr>>,
    pub(super) config: Option<Given<Type>>,
    pub(super) session: Option<Given<Type>>,
    pub(super) auth: Option<Keyed<Vec<auth::Method>>>,
    pub(super) capabilities: Vec<Ident>,
    pub(super) ext_listing: Option<Given<Expr>>,
    /// The word.
    pub(super) local: Option<Ident>,
    /// `crate = path`.
    pub(super) krate: Option<Given<Path>>,
}

impl Declaration {
    pub(super) fn read(arguments: TokenStream, item: DeriveInput, sink: &Sink) -> Self {
        let mut keys = Keys::default();
        keys::read_arguments(arguments, &KEYS, sink, |entry| keys.read(entry));
        Self { item, keys }
    }
}

impl Keys {
    fn read(&mut self, entry: Entry<'_>) {
        match entry.key.to_string().as_str() {
            "name" => self.name = Some(entry.taking(TEXT, "\"coder\"")),
            "title" => self.title = Some(entry.taking(TEXT, "\"Coder\"")),
            "version" => self.version = Some(entry.taking(TEXT, "\"1.2.3\"")),
            "config" => self.config = Some(entry.assigned("Config")),
            "session" => self.session = Some(entry.assigned("Session")),
            "auth" => self.auth = Some(auth::read(entry)),
            "capabilities" => self.capabilities = capabilities(entry),
            "ext_listing" => self.ext_listing = Some(entry.taking(TEXT, "\"_vendor/extensions\"")),
            "local" => self.local = Some(entry.flag()),
            "crate" => self.krate = Some(entry.assigned("acp")),
            other => unreachable!("`{other}` is not among the keys"),
        }
    }
}

/// `(image, audio)`.
fn capabilities(entry: Entry<'_>) -> Vec<Ident> {
    let list = entry.sink.words.list(&CAPABILITIES);
    let words = entry.list("words in parentheses, without values", "image", capability).value.unwrap_or_default();
    words.iter().for_each(|word| list.add(word));
    words
}

/// In quotes or with `= true`, what is meant is plain.
fn capability(tokens: &TokenStream) -> Element<Ident> {
    if let Ok(word) = syn::parse2(tokens.clone()) {
        return Element::Right(word);
    }
    let quoted = syn::parse2::<LitStr>(tokens.clone()).and_then(|word| word.parse());
    let stated = || match syn::parse2(tokens.clone()).ok()? {
        Meta::NameValue(MetaNameValue { path, value: Expr::Lit(ExprLit { lit: Lit::Bool(on), .. }), .. })
            if on.value =>
        {
            path.get_ident().cloned()
        }
        _ => None,
    };
    quoted.ok().or_else(stated).map_or(Element::Wrong, Element::Meant)
}
