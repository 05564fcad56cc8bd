//! The grammar inside our attributes, `#[name(key, key = value, key(..))]`, read so that one mistake
//! does not hide the others. Which keys there are, and what stands behind each, is said by the caller.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Meta, Token};

use crate::diagnostics::{Sink, listed, nearest};
use crate::words::{List, Vocabulary};

/// A value and the key it was given to, for messages about either.
#[derive(Clone)]
pub(crate) struct Keyed<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// Reads the keys of every `#[name(..)]` among `attributes`. `each` parses what follows a known key.
/// Returns whether the attribute is there at all.
pub(crate) fn read(
    attributes: &[Attribute],
    name: &str,
    known: &Vocabulary,
    sink: &Sink,
    mut each: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) -> bool {
    let mut found = false;
    let mut seen = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        found = true;
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => {
                let mut reader = Reader { known, sink, words: sink.words.list(known), seen, each: &mut each };
                reader.read(list.tokens.clone());
                seen = reader.seen;
            }
            Meta::NameValue(pair) => {
                sink.error(pair, format_args!("expected `#[{name}(..)]`"));
            }
        }
    }
    found
}

/// As [`read`], for the arguments of an attribute macro.
pub(crate) fn read_arguments(
    arguments: TokenStream,
    known: &Vocabulary,
    sink: &Sink,
    mut each: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    let words = sink.words.list(known);
    Reader { known, sink, words, seen: Vec::new(), each: &mut each }.read(arguments);
}

/// `= value`.
pub(crate) fn assigned<T: syn::parse::Parse>(key: &Ident, input: ParseStream<'_>) -> syn::Result<Keyed<T>> {
    input.parse::<Token![=]>()?;
    Ok(Keyed { key: key.clone(), value: input.parse()? })
}

/// Tells a language server of the path behind a key. One that ends with `::` is no value yet, but what it asks about.
pub(crate) fn tell(input: ParseStream<'_>, or: Option<&Vocabulary>, sink: &Sink) {
    let ahead = input.fork();
    if ahead.parse::<Token![=]>().is_ok() {
        let mut value = Vec::new();
        while !ahead.peek(Token![,])
            && let Ok(token) = ahead.parse::<TokenTree>()
        {
            value.push(token);
        }
        sink.words.value(value.into_iter().collect(), or);
    }
}

struct Reader<'a> {
    known: &'a Vocabulary,
    sink: &'a Sink,
    words: List<'a>,
    seen: Vec<String>,
    each: &'a mut dyn FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let before = self.sink.count();
        let all = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = self.entry(input) {
                    self.sink.absorb(error);
                    self.recover(input)?;
                }
            }
            Ok(())
        };
        let read = all.parse2(tokens);
        // A value that broke off inside parentheses is reported by syn once more at the end.
        if self.sink.count() == before {
            self.sink.take(read);
        }
    }

    fn entry(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let key = input.call(Ident::parse_any)?;
        self.words.add(&key);
        let written = key.to_string();
        if self.known.knows(&written) {
            if self.seen.contains(&written) {
                self.sink.error(&key, format_args!("`{written}` is given twice"));
                return skip_value(input);
            }
            self.seen.push(written);
            (self.each)(&key, input)?;
        } else {
            self.unknown(&key, &written, input)?;
        }
        if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(drop) }
    }

    /// A slip is read as what it was meant to be, so that it gives one error and not two.
    fn unknown(&mut self, key: &Ident, written: &str, input: ParseStream<'_>) -> syn::Result<()> {
        let report = self.sink.error(key, format_args!("unknown key `{written}`"));
        let Some(meant) = nearest(written, self.known.words.iter().copied()) else {
            report.note(format_args!("the keys are {}", listed(self.known.words)));
            return skip_to_comma(input);
        };
        report.help(format_args!("did you mean `{meant}`?"));
        if !self.seen.iter().any(|seen| seen == meant) {
            self.seen.push(meant.to_owned());
            // An error here would be the second one for the same word.
            let _ = (self.each)(&Ident::new(meant, key.span()), input);
        }
        skip_to_comma(input)
    }

    /// Goes on behind the next comma that a key follows: a broken value may have commas of its own.
    fn recover(&self, input: ParseStream<'_>) -> syn::Result<()> {
        while !input.is_empty() {
            let comma = input.peek(Token![,]);
            input.parse::<TokenTree>()?;
            if comma && self.at_key(input) {
                break;
            }
        }
        Ok(())
    }

    fn at_key(&self, input: ParseStream<'_>) -> bool {
        let fork = input.fork();
        let Ok(key) = fork.call(Ident::parse_any) else { return false };
        let given = fork.peek(Token![=]) && !fork.peek(Token![==]);
        let flag = fork.is_empty() || fork.peek(Token![,]) || fork.peek(syn::token::Paren);
        given || flag && self.known.words.iter().any(|known| key == known)
    }
}

fn skip_value(input: ParseStream<'_>) -> syn::Result<()> {
    skip_to_comma(input)?;
    if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(drop) }
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::{Expr, LitStr};

    /// The keys and values that were understood, and the errors.
    fn read_all(tokens: TokenStream) -> (Vec<String>, String) {
        let sink = Sink::new();
        let mut read = Vec::new();
        let known = Vocabulary { module: "option", words: &["kind", "id", "default", "flatten"] };
        read_arguments(tokens, &known, &sink, |key, input| {
            let value = match key.to_string().as_str() {
                "flatten" => "yes".to_owned(),
                "default" => {
                    let value = assigned::<Expr>(key, input)?.value;
                    quote!(#value).to_string()
                }
                _ => assigned::<LitStr>(key, input)?.value.value(),
            };
            read.push(format!("{key}={value}"));
            Ok(())
        });
        (read, sink.finish().to_string())
    }

    #[test]
    fn keys_in_any_order_and_a_trailing_comma() {
        let (read, errors) = read_all(quote!(default = f::<A, B>(1, 2), flatten, id = "x",));
        assert_eq!(read, ["default=f :: < A , B > (1 , 2)", "flatten=yes", "id=x"]);
        assert_eq!(errors, "");
    }

    #[test]
    fn a_slip_is_one_error_and_keeps_its_value() {
        let (read, errors) = read_all(quote!(knd = "select", id = "x"));
        assert_eq!(read, ["kind=select", "id=x"]);
        assert_eq!(errors.matches("compile_error").count(), 1);
        assert!(errors.contains(r"unknown key `knd`\nhelp: did you mean `kind`?"), "{errors}");
    }

    #[test]
    fn a_broken_value_does_not_hide_the_other_keys() {
        let (read, errors) =
            read_all(quote!(default = (1, 2) (,), 3, id = 1, zzz = 2, kind = "select", kind = "boolean"));
        assert_eq!(read, ["kind=select"]);
        for expected in ["expected string literal", "unknown key `zzz`", "`kind` is given twice"] {
            assert!(errors.contains(expected), "{expected} in {errors}");
        }
    }
}
