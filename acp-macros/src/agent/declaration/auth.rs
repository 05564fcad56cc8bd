//! `auth(agent(id = "..", name = ".."), terminal(id = "..", name = "..", args("..")))`: the ways to authenticate.
//! See <https://agentclientprotocol.com/protocol/v1/authentication>.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Ident, LitStr};

use crate::diagnostics::{Sink, listed};
use crate::keys::{self, Element, Entry, Given, Keyed, Value};
use crate::words::{List, Vocabulary};

pub(crate) const TYPES: Vocabulary = Vocabulary { module: "auth", words: &["agent", "terminal"] };
pub(crate) const AGENT_KEYS: Vocabulary = Vocabulary { module: "auth_agent", words: &["id", "name", "description"] };
pub(crate) const TERMINAL_KEYS: Vocabulary =
    Vocabulary { module: "auth_terminal", words: &["id", "name", "description", "args"] };

const KEYS: &str = "id = \"key\", name = \"API key\"";

/// One way, as written.
pub(super) struct Method {
    /// The word `agent` or `terminal`.
    pub(super) word: Ident,
    pub(super) id: Option<Given<LitStr>>,
    pub(super) name: Option<Given<LitStr>>,
    pub(super) description: Option<Given<LitStr>>,
    /// Of a terminal: what the client starts the agent's program with.
    pub(super) args: Option<Given<Vec<LitStr>>>,
}

/// What stands behind `auth`.
pub(super) fn read(entry: Entry<'_>) -> Keyed<Vec<Method>> {
    let sink = entry.sink;
    let words = sink.words.list(&TYPES);
    let ways = entry.list(
        "ways to authenticate in parentheses: `agent(..)` or `terminal(..)`",
        &format!("agent({KEYS})"),
        way,
    );
    let methods = ways.value.into_iter().flatten().filter_map(|way| method(way, &words, sink)).collect();
    Keyed { key: ways.key, value: methods }
}

/// A word, and its keys if they are there.
struct Way {
    word: Ident,
    keys: Option<Group>,
}

impl ToTokens for Way {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.word.to_tokens(tokens);
        self.keys.to_tokens(tokens);
    }
}

fn way(tokens: &TokenStream) -> Element<Way> {
    let mut written = tokens.clone().into_iter();
    let word = written.next().and_then(|word| Ident::parse_any.parse2(word.into()).ok());
    match (word, written.next(), written.next()) {
        (Some(word), None, None) => Element::Right(Way { word, keys: None }),
        (Some(word), Some(TokenTree::Group(keys)), None) if keys.delimiter() == Delimiter::Parenthesis => {
            Element::Right(Way { word, keys: Some(keys) })
        }
        _ => Element::Wrong,
    }
}

fn method(way: Way, words: &List<'_>, sink: &Sink) -> Option<Method> {
    let Way { word, keys } = way;
    words.add(&word);
    let written = word.to_string();
    if !TYPES.knows(&written) {
        sink.error(&word, format_args!("no way to authenticate is called `{written}`"))
            .did_you_mean(&written, TYPES.words.iter().copied())
            .note(format_args!("there are {}", listed(TYPES.words)));
        return None;
    }
    let Some(group) = keys else {
        sink.error(&word, format_args!("`{word}` lacks its `id` and `name`"))
            .help(format_args!("write `{word}({KEYS})`: the client sends the one and shows the other"));
        return None;
    };
    let known = if written == "agent" { &AGENT_KEYS } else { &TERMINAL_KEYS };
    let mut method = Method { word, id: None, name: None, description: None, args: None };
    keys::read_arguments(group.stream(), known, sink, |entry| method.read(entry));
    Some(method)
}

impl Method {
    fn read(&mut self, entry: Entry<'_>) {
        match entry.key.to_string().as_str() {
            "id" => self.id = Some(entry.assigned("\"key\"")),
            "name" => self.name = Some(entry.assigned("\"API key\"")),
            "description" => self.description = Some(entry.assigned("\"From the environment\"")),
            "args" => self.args = Some(entry.list("texts in parentheses", "\"--login\"", argument)),
            other => unreachable!("`{other}` is not among the keys"),
        }
    }
}

fn argument(tokens: &TokenStream) -> Element<LitStr> {
    match syn::parse2(tokens.clone()) {
        Ok(text) => Element::Right(text),
        Err(_) => LitStr::meant(tokens).map_or(Element::Wrong, Element::Meant),
    }
}
