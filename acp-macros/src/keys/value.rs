//! `= value`, and small mistakes in it: another sign, parentheses, too many or too few quotes. If the meaning is clear,
//! the value is read, so that no second error follows.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parse;
use syn::{Expr, ExprField, ExprLit, ExprPath, Ident, Lit, LitBool, LitInt, LitStr, Member, Path, Token, Type};

use super::{Entry, Given, Keyed, is_assignment};
use crate::diagnostics::code;

/// A type that can stand after `=`.
pub(crate) trait Value: Parse + ToTokens {
    /// The end of the sentence "`key` takes ..".
    const TAKES: &'static str;

    /// The value that the author means by wrong tokens. This is the text in quotes, unless a type has its own rule.
    fn meant(tokens: &TokenStream) -> Option<Self> {
        unquoted(tokens)
    }
}

/// The sign between a key and its value.
enum Sign {
    Assigned,
    Colon(Token![:]),
    /// No sign, and the value in parentheses.
    Wrapped,
    Missing,
}

impl Entry<'_> {
    /// Reads `= value`. `example` is a right value.
    pub(crate) fn assigned<T: Value>(&self, example: &str) -> Given<T> {
        self.taking(T::TAKES, example)
    }

    /// As [`Entry::assigned`], for a key that does not accept all values of its type.
    pub(crate) fn taking<T: Value>(&self, takes: &str, example: &str) -> Given<T> {
        Keyed { key: self.key.clone(), value: self.value(takes, example) }
    }

    /// Reads one of some words in quotes. After a small mistake, there is no value, because the text may be none of the
    /// words.
    pub(crate) fn word(&self, example: &str) -> Given<LitStr> {
        let before = self.sink.count();
        let Given { key, value } = self.assigned(example);
        Keyed { key, value: value.filter(|_| self.sink.count() == before) }
    }

    fn value<T: Value>(&self, takes: &str, example: &str) -> Option<T> {
        let sign = self.sign(takes, example)?;
        let wrapped = matches!(sign, Sign::Wrapped);
        if !wrapped && let Some(value) = self.whole::<T>() {
            let read = value.to_token_stream();
            match sign {
                Sign::Assigned => {}
                Sign::Colon(colon) => self.misplaced(colon.into_token_stream(), read),
                Sign::Wrapped | Sign::Missing => self.misplaced(read.clone(), read),
            }
            return Some(value);
        }
        let written = self.rest();
        if wrapped && let Some(value) = unwrapped::<T>(&written) {
            self.misplaced(written, value.to_token_stream());
            return Some(value);
        }
        let meant = T::meant(&written);
        let shown = meant.as_ref().map(code);
        self.wrong(written, takes, shown.as_deref().unwrap_or(example));
        meant
    }

    /// Reads the sign before a value. Without a value, it reports that.
    fn sign(&self, takes: &str, example: &str) -> Option<Sign> {
        let input = self.input;
        let sign = if is_assignment(input) && input.parse::<Token![=]>().is_ok() {
            Sign::Assigned
        } else if input.peek(Token![:])
            && !input.peek(Token![::])
            && let Ok(colon) = input.parse()
        {
            Sign::Colon(colon)
        } else if input.peek(syn::token::Paren) {
            Sign::Wrapped
        } else {
            Sign::Missing
        };
        if self.is_blank() || matches!(sign, Sign::Wrapped | Sign::Missing) && self.is_over() {
            self.lacks(takes, example);
            return None;
        }
        Some(sign)
    }

    /// Reports that there is no value after the key.
    pub(super) fn lacks(&self, takes: &str, example: &str) {
        let key = self.key;
        self.sink
            .error(key, format_args!("`{key}` lacks its value"))
            .help(format_args!("write `{key} = {example}`"))
            .note(format_args!("`{key}` takes {takes}"));
    }

    fn misplaced(&self, at: TokenStream, value: TokenStream) {
        let key = self.key;
        self.sink
            .error(at, format_args!("`{key}` takes its value behind `=`"))
            .help(format_args!("write `{key} = {}`", code(&value)));
    }

    /// Reports `written`, which cannot stand after `key =`.
    pub(crate) fn wrong(&self, written: impl ToTokens, takes: &str, example: &str) {
        let key = self.key;
        self.sink.error(written, format_args!("`{key}` takes {takes}")).help(format_args!("write `{key} = {example}`"));
    }
}

/// The value in `(value)`.
fn unwrapped<T: Value>(written: &TokenStream) -> Option<T> {
    match only(written)? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            syn::parse2(group.stream()).ok().or_else(|| T::meant(&group.stream()))
        }
        _ => None,
    }
}

pub(super) fn only(tokens: &TokenStream) -> Option<TokenTree> {
    let mut tokens = tokens.clone().into_iter();
    tokens.next().filter(|_| tokens.next().is_none())
}

/// The text in quotes, if it is a `T`.
fn unquoted<T: Parse>(tokens: &TokenStream) -> Option<T> {
    syn::parse2(written_in(tokens)?).ok()
}

/// The tokens in quotes.
fn written_in(tokens: &TokenStream) -> Option<TokenStream> {
    syn::parse2::<LitStr>(tokens.clone()).ok()?.parse().ok()
}

impl Value for LitStr {
    const TAKES: &'static str = "a text in quotes";

    fn meant(tokens: &TokenStream) -> Option<Self> {
        match only(tokens)? {
            TokenTree::Ident(word) if word == "true" || word == "false" => None,
            TokenTree::Ident(word) => Some(Self::new(&word.to_string(), word.span())),
            TokenTree::Literal(literal) => match Lit::new(literal) {
                Lit::Int(number) => Some(Self::new(&number.to_string(), number.span())),
                Lit::Float(number) => Some(Self::new(&number.to_string(), number.span())),
                Lit::Char(one) => Some(Self::new(&one.value().to_string(), one.span())),
                _ => None,
            },
            TokenTree::Group(_) | TokenTree::Punct(_) => None,
        }
    }
}

impl Value for Ident {
    const TAKES: &'static str = "a name, without quotes";

    fn meant(tokens: &TokenStream) -> Option<Self> {
        let mut written = syn::parse2(tokens.clone()).ok()?;
        while let Expr::Reference(reference) = written {
            written = *reference.expr;
        }
        match written {
            Expr::Field(ExprField { member: Member::Named(name), .. }) => Some(name),
            _ => unquoted(tokens),
        }
    }
}

impl Value for LitInt {
    const TAKES: &'static str = "a number";
}

impl Value for LitBool {
    const TAKES: &'static str = "`true` or `false`";
}

impl Value for ExprPath {
    const TAKES: &'static str = "the path of a function";

    fn meant(tokens: &TokenStream) -> Option<Self> {
        match syn::parse2(tokens.clone()).ok()? {
            Expr::Lit(ExprLit { lit: Lit::Str(quoted), .. }) => quoted.parse().ok(),
            Expr::Call(call) => syn::parse2(call.func.into_token_stream()).ok(),
            Expr::Reference(reference) => syn::parse2(reference.expr.into_token_stream()).ok(),
            _ => None,
        }
    }
}

impl Value for Path {
    const TAKES: &'static str = "a path, without quotes";
}

impl Value for Type {
    const TAKES: &'static str = "a type, without quotes";
}

impl Value for Expr {
    const TAKES: &'static str = "an expression";

    fn meant(_: &TokenStream) -> Option<Self> {
        None
    }
}
