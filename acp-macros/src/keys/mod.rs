//! The grammar inside of our attributes, `#[name(key, key = value, key(..))]`. One mistake is one error, and hides no
//! other mistake. The caller gives the names of the keys. [`Entry`] reads the part after a key: a [`value`], or a
//! [`list`].
//!
//! In one test (`keys/reference`), darling must find the same keys and values as our reader. An author's build does not
//! contain darling: it would cost 2.7 s of CPU, and `acp-macros` costs 2.3 s. And darling stops at a syntax error.

mod list;
#[cfg(test)]
pub(crate) mod reference;
mod table;
#[cfg(test)]
mod tests;
mod value;

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Expr, Ident, Meta, Token};

pub(crate) use self::list::{Element, elements};
pub(crate) use self::table::{Keys, Vocabulary, keys, vocabulary, word};
pub(crate) use self::value::Value;
use crate::diagnostics::{Sink, listed, nearest};
use crate::ide_hints::{Hints, List};

/// A value with its key, for messages about either.
#[derive(Clone)]
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// A key with its value. The value is `None` if it could not be read. This was reported.
pub(crate) type Given<T> = Keyed<Option<T>>;

/// A key that has no value.
pub(crate) type Flag = Keyed<()>;

/// The results of reading an item's attributes, apart from the values: errors for the author, and hints for a language
/// server.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) sink: &'a Sink,
    pub(crate) hints: &'a Hints,
}

/// One key, and the reader of the tokens after it.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) key: &'a Ident,
    pub(crate) sink: &'a Sink,
    pub(crate) hints: &'a Hints,
    input: ParseStream<'a>,
    known: &'a Vocabulary,
}

/// Reads the keys of every `#[name(..)]` among `attributes`. `each` reads the part after a known key. Returns whether
/// there is such an attribute.
pub(crate) fn read(
    attributes: &[Attribute],
    name: &str,
    known: &Vocabulary,
    reading: Reading<'_>,
    each: impl FnMut(Entry<'_>),
) -> bool {
    read_beside(attributes, name, (known, None), reading, each)
}

/// As [`read`], where a word is written in another way than as a key.
pub(crate) fn read_beside(
    attributes: &[Attribute],
    name: &str,
    (known, elsewhere): (&Vocabulary, Option<&Elsewhere>),
    reading: Reading<'_>,
    mut each: impl FnMut(Entry<'_>),
) -> bool {
    let mut found = false;
    let mut seen = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        found = true;
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                let words = reading.hints.list(known.module);
                let mut reader = Reader { known, elsewhere, reading, words, seen, misplaced: false, each: &mut each };
                reader.read(list.tokens.clone());
                seen = reader.seen;
            }
            Meta::NameValue(pair) => {
                let sink = reading.sink;
                sink.error(pair, format_args!("the keys of `{name}` stand in parentheses"))
                    .help(format_args!("write `#[{name}(..)]`"))
                    .note(format_args!("the keys are {}", listed(known.words)));
            }
        }
    }
    found
}

/// As [`read`], for the arguments of an attribute macro.
pub(crate) fn read_arguments(
    arguments: TokenStream,
    known: &Vocabulary,
    reading: Reading<'_>,
    mut each: impl FnMut(Entry<'_>),
) {
    let words = reading.hints.list(known.module);
    Reader { known, elsewhere: None, reading, words, seen: Vec::new(), misplaced: false, each: &mut each }
        .read(arguments);
}

/// Keys of the same attribute that belong on another item.
pub(crate) struct Elsewhere {
    pub(crate) words: &'static [&'static str],
    /// The end of the sentence "`key` ..".
    pub(crate) belongs: &'static str,
    pub(crate) cure: &'static str,
}

/// As [`read_arguments`], where the same attribute on another item has other keys. Returns whether such a key is here.
pub(crate) fn read_arguments_beside(
    arguments: TokenStream,
    known: &Vocabulary,
    elsewhere: &Elsewhere,
    reading: Reading<'_>,
    mut each: impl FnMut(Entry<'_>),
) -> bool {
    let words = reading.hints.list(known.module);
    let elsewhere = Some(elsewhere);
    let mut reader = Reader { known, elsewhere, reading, words, seen: Vec::new(), misplaced: false, each: &mut each };
    reader.read(arguments);
    reader.misplaced
}

impl Entry<'_> {
    /// Reads a key without a value.
    pub(crate) fn flag(&self) -> Flag {
        if !self.is_over() {
            let key = self.key;
            self.sink
                .error(self.rest(), format_args!("`{key}` takes no value"))
                .help(format_args!("write `{key}` alone, or leave it out"));
        }
        Keyed { key: self.key.clone(), value: () }
    }

    /// The first token after `=`.
    pub(crate) fn first_assigned(&self) -> Option<TokenTree> {
        let ahead = self.input.fork();
        ahead.parse::<Token![=]>().and_then(|_| ahead.parse()).ok()
    }

    /// The list in parentheses after the key.
    pub(crate) fn list_ahead(&self) -> Option<Group> {
        self.input.fork().parse::<Group>().ok()
    }

    /// Skips the tokens after the key.
    pub(crate) fn skip(&self) {
        if !self.is_over() {
            self.rest();
        }
    }

    /// Adds a hint at the path after the key. A path that ends with `::` is not a value yet, but the author asks the
    /// language server for names.
    pub(crate) fn hint(&self, or: Option<&Vocabulary>) {
        let ahead = self.input.fork();
        if ahead.parse::<Token![=]>().is_ok() {
            let mut value = Vec::new();
            while !ahead.peek(Token![,])
                && let Ok(token) = ahead.parse::<TokenTree>()
            {
                value.push(token);
            }
            self.hints.value(value.into_iter().collect(), or.map(|words| words.module));
        }
    }

    /// Whether no more tokens belong to this key.
    fn is_over(&self) -> bool {
        is_over(self.input, self.known)
    }

    /// Whether there is no value after a sign. A word that is a key elsewhere may be a value here.
    fn is_blank(&self) -> bool {
        is_blank(self.input)
    }

    /// All tokens that belong to this key, at least one. They end at a comma before the next key, because a broken
    /// value may contain commas.
    fn rest(&self) -> TokenStream {
        let mut rest = TokenStream::new();
        while let Ok(token) = self.input.parse::<TokenTree>() {
            let goes_on = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '.');
            rest.extend([token]);
            // The name of a field may be that of a key.
            if goes_on && !self.input.is_empty() {
                continue;
            }
            if self.input.is_empty() || self.input.peek(Token![;]) || starts_key(self.input, self.known) {
                break;
            }
            let ahead = self.input.fork();
            if ahead.parse::<Token![,]>().is_ok() && (ahead.is_empty() || is_key(&ahead, self.known)) {
                break;
            }
        }
        rest
    }

    /// Reads a value that uses all tokens. If there is none, no token is consumed.
    fn whole<T: Parse>(&self) -> Option<T> {
        let ahead = self.input.fork();
        let value = ahead.parse().ok()?;
        is_over(&ahead, self.known).then(|| {
            self.input.advance_to(&ahead);
            value
        })
    }
}

fn is_blank(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,]) || input.peek(Token![;])
}

/// Whether an entry ends here: with a comma, with another token instead of a comma, or with the next key.
fn is_over(input: ParseStream<'_>, known: &Vocabulary) -> bool {
    is_blank(input) || starts_key(input, known)
}

/// Whether there is a known key here without a comma before it.
fn starts_key(input: ParseStream<'_>, known: &Vocabulary) -> bool {
    let ahead = input.fork();
    ahead.call(Ident::parse_any).is_ok_and(|key| known.words.iter().any(|word| key == word)) && follows_key(&ahead)
}

/// Whether there is a key here, as far as the next tokens show.
fn is_key(input: ParseStream<'_>, known: &Vocabulary) -> bool {
    let ahead = input.fork();
    let Ok(key) = ahead.call(Ident::parse_any) else { return false };
    is_assignment(&ahead) || follows_key(&ahead) && known.words.iter().any(|word| key == word)
}

fn follows_key(input: ParseStream<'_>) -> bool {
    let colon = input.peek(Token![:]) && !input.peek(Token![::]);
    let list = input.peek(syn::token::Paren);
    is_assignment(input) || colon || list || is_blank(input)
}

fn is_assignment(input: ParseStream<'_>) -> bool {
    input.peek(Token![=]) && !input.peek(Token![==]) && !input.peek(Token![=>])
}

struct Reader<'a> {
    known: &'a Vocabulary,
    elsewhere: Option<&'a Elsewhere>,
    reading: Reading<'a>,
    words: List<'a>,
    seen: Vec<String>,
    /// Whether a key belongs on another item.
    misplaced: bool,
    each: &'a mut dyn FnMut(Entry<'_>),
}

impl<'a> Reader<'a> {
    fn read(&mut self, tokens: TokenStream) {
        let all = |input: ParseStream<'_>| {
            while !input.is_empty() {
                self.entry(input)?;
            }
            Ok(())
        };
        let read = all.parse2(tokens);
        self.reading.sink.take(read);
    }

    fn at<'e>(&self, key: &'e Ident, input: ParseStream<'e>) -> Entry<'e>
    where
        'a: 'e,
    {
        let Reading { sink, hints } = self.reading;
        Entry { key, sink, hints, input, known: self.known }
    }

    fn entry(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let Ok(key) = input.call(Ident::parse_any) else { return self.stray(input) };
        self.words.add(&key);
        let written = key.to_string();
        if !self.known.knows(&written) {
            self.unknown(&key, &written, input)?;
        } else if self.seen.contains(&written) {
            self.reading
                .sink
                .error(&key, format_args!("`{written}` is given twice"))
                .help("keep the one that is meant, and remove the other");
            skip_to_comma(input)?;
        } else {
            let entry = self.at(&key, input);
            (self.each)(entry);
            self.seen.push(written);
        }
        self.separator(&key, input)
    }

    /// Reports tokens that cannot be a key.
    fn stray(&self, input: ParseStream<'_>) -> syn::Result<()> {
        let keys = listed(self.known.words);
        if input.peek(Token![,]) {
            let comma: TokenTree = input.parse()?;
            self.reading.sink.error(comma, "one comma between two keys is enough").help("remove this one");
            return Ok(());
        }
        let at = expression(input)?;
        self.reading.sink.error(at, "expected a key").note(format_args!("the keys are {keys}"));
        skip_to_comma(input)?;
        input.parse::<Option<Token![,]>>().map(drop)
    }

    /// Reads a misspelt key as the key that the author means, so that it gives one error and not two.
    fn unknown(&mut self, key: &Ident, written: &str, input: ParseStream<'_>) -> syn::Result<()> {
        if let Some(Elsewhere { belongs, cure, .. }) = self.elsewhere.filter(|other| other.words.contains(&written)) {
            self.reading.sink.error(key, format_args!("`{written}` {belongs}")).help(cure);
            self.misplaced = true;
            return skip_to_comma(input);
        }
        let report = self.reading.sink.error(key, format_args!("unknown key `{written}`"));
        let nearest = nearest(written, self.known.words.iter().copied());
        let Some(meant) = nearest.or_else(|| other_word(written, self.known)) else {
            report.note(format_args!("the keys are {}", listed(self.known.words)));
            return skip_to_comma(input);
        };
        report.help(format_args!("did you mean `{meant}`?"));
        if self.seen.iter().any(|seen| seen == meant) {
            return skip_to_comma(input);
        }
        self.seen.push(meant.to_owned());
        let key = Ident::new(meant, key.span());
        // A further error here would be the second one for the same word.
        let entry = self.at(&key, input);
        self.reading.sink.quietly(|| (self.each)(entry));
        if is_over(input, self.known) { Ok(()) } else { skip_to_comma(input) }
    }

    /// Reads the separator between this key and the next.
    fn separator(&self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        if input.is_empty() {
            return Ok(());
        }
        if input.peek(Token![,]) {
            return input.parse::<Token![,]>().map(drop);
        }
        if input.peek(Token![;]) {
            let at = input.parse::<Token![;]>()?;
            self.reading.sink.error(at, "keys are separated by commas").help("write `,` instead");
            return Ok(());
        }
        if starts_key(input, self.known) {
            let next = input.fork().call(Ident::parse_any)?;
            self.reading
                .sink
                .error(&next, format_args!("a comma is missing before `{next}`"))
                .help(format_args!("write `, {next}`"));
            return Ok(());
        }
        let rest = self.at(key, input).rest();
        self.reading.sink.error(rest, format_args!("expected a comma behind `{key}`")).help("remove this");
        input.parse::<Option<Token![,]>>().map(drop)
    }
}

/// The key that people call by this word.
fn other_word(written: &str, known: &Vocabulary) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("arguments", "hint"),
        ("input", "hint"),
        ("label", "name"),
        ("label", "title"),
        ("placeholder", "hint"),
        ("options", "config"),
        ("settings", "config"),
        ("state", "shared"),
    ];
    WORDS.iter().find(|(word, key)| *word == written && known.words.contains(key)).map(|(_, key)| *key)
}

/// The tokens of one expression, or one token.
fn expression(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let ahead = input.fork();
    if let Ok(expression) = ahead.parse::<Expr>() {
        input.advance_to(&ahead);
        return Ok(quote::quote!(#expression));
    }
    input.parse::<TokenTree>().map(TokenStream::from)
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
