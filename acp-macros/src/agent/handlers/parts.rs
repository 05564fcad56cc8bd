//! The keys of `#[acp_agent(..)]` on an `impl`: handlers may stand in several blocks, of which one names all others.

use proc_macro2::{TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

use crate::agent::declaration::Keys;
use crate::diagnostics::{Sink, place};
use crate::keys::{self, Element, Elsewhere, Given, Keyed, Keys as _, Reading, keys};
use crate::text;

keys! {
    /// In `#[acp_agent(..)]` on an `impl`.
    pub(crate) struct BlockKeys in "agent_impl", read(entry);
    /// | `parts(git, models)` | a list of names | the block has all handlers | the agent's other blocks, which may stand in any module of the crate |
    parts: Given<Vec<Ident>> = entry.list("names in parentheses, without values", "git", name),
    /// | `part = git` | a name | the block is the agent's main one | the block is a part of the agent: the main block names it in `parts(..)` |
    part: Given<Path> = entry.taking("a name, without quotes", "git"),
    /// | `crate = path` | path | `::acp_runtime` | the path of this crate |
    krate as "crate": Given<Path> = entry.assigned("acp"),
}

/// The words that stand on the struct.
const ON_THE_STRUCT: Elsewhere = Elsewhere {
    words: Keys::KNOWN.words,
    belongs: "belongs on the struct, not on its `impl`",
    cure: "move it to the `#[acp_agent(..)]` of the struct",
};

/// Which of the agent's blocks this one is.
#[derive(Clone)]
pub(super) enum Place {
    Only,
    /// The block that names the others.
    Main {
        parts: Vec<Ident>,
        /// Whether all names could be read.
        whole: bool,
    },
    Part(Ident),
    /// A part whose name could not be read.
    Unnamed,
}

/// The keys of a block.
pub(super) struct Read {
    /// The path of the runtime.
    pub(super) krate: Option<Path>,
    pub(super) place: Place,
    /// Whether a key of the struct is here. The struct then lacks it, so errors about the handlers would follow from that.
    pub(super) lacks_keys: bool,
}

/// Reads the keys of a block. `has_prompt` tells which of two keys that exclude each other is the wrong one.
pub(super) fn read(arguments: TokenStream, has_prompt: bool, reading: Reading<'_>) -> Read {
    // Nothing must be said here, and no need to say that.
    if arguments.is_empty() {
        return Read { krate: None, place: Place::Only, lacks_keys: false };
    }
    let sink = reading.sink;
    let before = sink.count();
    let mut keys = BlockKeys::default();
    // Threads cannot share a struct that lacks `local`. Only the whole expansion reports this once.
    let says_local =
        arguments.clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "local"));
    let misplaced =
        keys::read_arguments_beside(arguments, &BlockKeys::KNOWN, &ON_THE_STRUCT, reading, |entry| keys.read(entry));
    let lacks_keys = misplaced && !says_local;
    let BlockKeys { parts, part, krate, given: _ } = keys;
    let place = match (part, parts) {
        (None, None) => Place::Only,
        (Some(Keyed { key, value: _ }), Some(parts)) if has_prompt => {
            sink.error(key, "the block that names the parts is the agent's main one, and no part itself")
                .help("remove `part`");
            Place::Main { parts: distinct(parts.value.unwrap_or_default(), sink), whole: false }
        }
        (Some(part), parts) => {
            if let Some(Keyed { key, value: _ }) = parts {
                sink.error(key, "a part has no parts of its own")
                    .help("name all parts in the main block of the agent, which has no `part`");
            }
            named(part.value, sink).map_or(Place::Unnamed, Place::Part)
        }
        (None, Some(parts)) => {
            let parts = distinct(parts.value.unwrap_or_default(), sink);
            Place::Main { parts, whole: sink.count() == before }
        }
    };
    Read { krate: krate.and_then(|krate| krate.value), place, lacks_keys }
}

fn named(path: Option<Path>, sink: &Sink) -> Option<Ident> {
    let path = path?;
    let name = path.get_ident();
    if name.is_none() {
        sink.error(&path, "the name of a part is one word")
            .help("write `part = git`, and `parts(git)` on the main block");
    }
    name.cloned()
}

fn distinct(names: Vec<Ident>, sink: &Sink) -> Vec<Ident> {
    let mut kept: Vec<Ident> = Vec::new();
    for name in names {
        if kept.contains(&name) {
            sink.error(&name, format_args!("the part `{name}` is named twice")).help("name it once");
        } else {
            kept.push(name);
        }
    }
    kept
}

fn name(tokens: &TokenStream) -> Element<Ident> {
    syn::parse2(tokens.clone()).map_or(Element::Wrong, Element::Right)
}

/// The name as a type, which blocks of different modules spell alike.
pub(super) fn spelt(name: &Ident) -> TokenStream {
    let letters = text::plain(name);
    let letters = letters.chars().map(|letter| quote!(__acp::Letter<#letter>));
    quote_spanned!(place(name)=> (#(#letters,)*))
}
