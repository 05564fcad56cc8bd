//! `key(one, two)`, and small mistakes in it: `=`, brackets, too many or too few quotes. A list with such mistakes is
//! one error. The error is at the first mistake, and shows the list that the author means.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::discouraged::Speculative;

use super::value::only;
use super::{Entry, Given, Keyed, is_assignment};
use crate::diagnostics::code;

/// The result of reading one element.
pub(crate) enum Element<T> {
    Right(T),
    /// A small mistake whose meaning is clear.
    Meant(T),
    Wrong,
}

impl Entry<'_> {
    /// Reads `(one, two)`. `takes` is the end of the sentence "`key` takes ..". `example` is an example of an element.
    pub(crate) fn list<T: ToTokens>(
        &self,
        takes: &str,
        example: &str,
        element: impl Fn(&TokenStream) -> Element<T>,
    ) -> Given<Vec<T>> {
        Keyed { key: self.key.clone(), value: self.read_list(takes, example, element) }
    }

    fn read_list<T: ToTokens>(
        &self,
        takes: &str,
        example: &str,
        element: impl Fn(&TokenStream) -> Element<T>,
    ) -> Option<Vec<T>> {
        let mut read = Vec::new();
        let mut keep = |tokens: &TokenStream| {
            let (value, is_right) = match element(tokens) {
                Element::Right(value) => (value, true),
                Element::Meant(value) => (value, false),
                Element::Wrong => return Element::Wrong,
            };
            let shown = value.to_token_stream();
            read.push(value);
            if is_right { Element::Right(shown) } else { Element::Meant(shown) }
        };
        self.elements(takes, example, &mut keep).then_some(read)
    }

    /// Hands each element to `keep`, which returns the tokens that are meant. Reports a wrong list. Returns whether the list could
    /// be read.
    fn elements(&self, takes: &str, example: &str, keep: &mut dyn FnMut(&TokenStream) -> Element<TokenStream>) -> bool {
        let (written, content) = self.listed();
        let is_list = is_list(&written);
        let mut at = (!is_list).then_some(written);
        let mut meant = Some(Vec::new());
        for tokens in elements(content) {
            let (element, is_right) = match keep(&tokens) {
                Element::Right(element) => (Some(element), true),
                Element::Meant(element) => (Some(element), false),
                Element::Wrong => (None, false),
            };
            if !is_right {
                at.get_or_insert(tokens);
            }
            match (&mut meant, element) {
                (Some(meant), Some(element)) => meant.push(element),
                _ => meant = None,
            }
        }
        let Some(at) = at else { return meant.is_some() };
        let key = self.key;
        let at = if at.is_empty() { key.to_token_stream() } else { at };
        let shown = meant.iter().flatten().map(code).collect::<Vec<_>>().join(", ");
        let shown = if shown.is_empty() { example } else { &shown };
        self.sink.error(at, format_args!("`{key}` takes {takes}")).help(format_args!("write `{key}({shown})`"));
        // If the parentheses are missing, the list is not empty, but wrong.
        meant.is_some_and(|meant| is_list || !meant.is_empty())
    }

    /// The parentheses after the key, if a comma or the end follows. Otherwise the next tokens are a misspelt key.
    fn whole_list(&self) -> Option<Group> {
        let ahead = self.input.fork();
        let list = ahead.parse::<Group>().ok().filter(|list| list.delimiter() == Delimiter::Parenthesis)?;
        super::is_blank(&ahead).then(|| {
            self.input.advance_to(&ahead);
            list
        })
    }

    /// The tokens after the key, and the elements in them.
    fn listed(&self) -> (TokenStream, TokenStream) {
        if let Some(list) = self.whole_list() {
            return (TokenTree::from(list.clone()).into(), list.stream());
        }
        let mut written = TokenStream::new();
        let assigned = is_assignment(self.input);
        if assigned {
            written.extend(self.input.parse::<TokenTree>());
        }
        if self.is_blank() || !assigned && self.is_over() {
            return (written, TokenStream::new());
        }
        let rest = self.rest();
        written.extend(rest.clone());
        match only(&rest) {
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => (written, group.stream()),
            _ => (written, rest),
        }
    }
}

fn is_list(written: &TokenStream) -> bool {
    matches!(only(written), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

/// The parts between commas.
pub(crate) fn elements(tokens: TokenStream) -> Vec<TokenStream> {
    let mut elements = vec![TokenStream::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(comma) if comma.as_char() == ',' => elements.push(TokenStream::new()),
            _ => elements.last_mut().expect("there is one from the start").extend([token]),
        }
    }
    // The last comma needs no element after it.
    if elements.last().is_some_and(TokenStream::is_empty) {
        elements.pop();
    }
    elements
}
