//! The keys of `#[acp_client(..)]`. They state the capabilities that no handler can imply.

use proc_macro2::TokenStream;
use syn::{Ident, LitStr, Path};

use crate::diagnostics::listed;
use crate::keys::{self, Element, Entry, Flag, Keyed, Keys as _, Reading, Vocabulary, keys, vocabulary};

keys! {
    /// In `#[acp_client(..)]`.
    pub(crate) struct Keys in "client", read(entry);
    /// | `base = workspace` | a field | none | the field is a client, too, such as a `Workspace`. It [handles everything else](#a-client-from-a-client), and its capabilities are advertised beside those of this block |
    base: keys::Given<Ident> = entry.taking("the name of a field, without quotes", "workspace"),
    /// | `elicitation(form, url)` | a list of words | none | agents may ask the user for input in [these ways](#elicitation), which the handler `create_elicitation` shows |
    elicitation: keys::Given<Vec<Ident>> = words(entry, &ELICITATION, "form"),
    /// | `notices` | | a handler `notice` implies it | agents may send updates of the kind `notice`: the client shows them to the user |
    notices: Flag = entry.flag(),
    /// | `compaction` | | a handler of one of its updates implies it | agents may report that they compact the context of a session |
    compaction: Flag = entry.flag(),
    /// | `auth(terminal)` | a list of words | none | agents may offer [these ways](#ways-to-authenticate) to authenticate, beside their own |
    auth: keys::Given<Vec<Ident>> = words(entry, &AUTH, "terminal"),
    /// | `local` | | the handlers' futures must be `Send` | the handlers' futures need not be `Send`: they stay on the thread that connects, in a `tokio::task::LocalSet`. The client itself must still be `Send` and `Sync` |
    local: Flag = entry.flag(),
    /// | `crate = path` | path | `::acp_client` | the path of this crate |
    krate as "crate": keys::Given<Path> = entry.assigned("acp"),
}

vocabulary! {
    /// In `elicitation(..)` in `#[acp_client(..)]`.
    pub(crate) ELICITATION in "elicitation";
    /// | `form` | not offered | agents may show forms |
    form,
    /// | `url` | not offered | agents may send the user to a page; `complete_elicitation` tells when the user has completed it |
    url,
}

vocabulary! {
    /// In `auth(..)` in `#[acp_client(..)]`.
    pub(crate) AUTH in "client_auth";
    /// | `terminal` | not offered | agents may offer a login in a terminal, which the client runs: see `Connection::login_command` |
    terminal,
}

/// The values of the keys.
pub(super) struct Given {
    pub(super) base: Option<Ident>,
    pub(super) krate: Option<Path>,
    pub(super) form: Option<Ident>,
    pub(super) url: Option<Ident>,
    pub(super) notices: bool,
    pub(super) compaction: bool,
    pub(super) terminal: bool,
    pub(super) local: bool,
    /// Whether all keys could be read.
    pub(super) whole: bool,
}

impl Given {
    pub(super) fn read(arguments: TokenStream, reading: Reading<'_>) -> Self {
        let before = reading.sink.count();
        let mut keys = Keys::default();
        keys::read_arguments(arguments, &Keys::KNOWN, reading, |entry| keys.read(entry));
        let Keys { base, elicitation, notices, compaction, auth, local, krate, given: _ } = keys;
        let [elicitation, auth] = [(elicitation, &ELICITATION, "form"), (auth, &AUTH, "terminal")]
            .map(|(list, known, example)| known_words(list, known, example, reading));
        let word = |list: &[Ident], word: &str| list.iter().find(|written| *written == word).cloned();
        Self {
            base: base.and_then(|base| base.value),
            krate: krate.and_then(|krate| krate.value),
            form: word(&elicitation, "form"),
            url: word(&elicitation, "url"),
            notices: notices.is_some(),
            compaction: compaction.is_some(),
            terminal: word(&auth, "terminal").is_some(),
            local: local.is_some(),
            whole: reading.sink.count() == before,
        }
    }
}

/// Reads a list of words such as `(form, url)`.
fn words(entry: Entry<'_>, known: &Vocabulary, example: &str) -> keys::Given<Vec<Ident>> {
    let list = entry.hints.list(known.module);
    let words = entry.list("words in parentheses, without values", example, |tokens| {
        if let Ok(word) = syn::parse2(tokens.clone()) {
            return Element::Right(word);
        }
        let quoted = syn::parse2::<LitStr>(tokens.clone()).and_then(|word| word.parse());
        quoted.map_or(Element::Wrong, Element::Meant)
    });
    words.value.iter().flatten().for_each(|word| list.add(word));
    words
}

/// The words of the list that are known, each once.
fn known_words(
    list: Option<keys::Given<Vec<Ident>>>,
    known: &Vocabulary,
    example: &str,
    reading: Reading<'_>,
) -> Vec<Ident> {
    let mut kept: Vec<Ident> = Vec::new();
    let Some(Keyed { key, value: Some(words) }) = list else { return kept };
    if words.is_empty() {
        reading
            .sink
            .error(&key, format_args!("`{key}` lacks its words"))
            .help(format_args!("write `{key}({example})`"));
    }
    for word in words {
        let written = word.to_string();
        if !known.knows(&written) {
            reading
                .sink
                .error(&word, format_args!("unknown word `{written}` in `{key}`"))
                .did_you_mean(&written, known.words.iter().copied())
                .note(format_args!("the words are {}", listed(known.words)));
        } else if kept.contains(&word) {
            reading.sink.error(&word, format_args!("`{written}` is given twice")).help("remove one of them");
        } else {
            kept.push(word);
        }
    }
    kept
}
