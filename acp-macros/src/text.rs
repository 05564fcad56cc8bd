//! Texts for clients, taken from the author's code: labels and ids from names, descriptions from doc comments.

use heck::{ToSnakeCase, ToTitleCase};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta};

use crate::diagnostics::code;

/// The name, as the author wrote it, but without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Whether the text has no visible character.
pub(crate) fn is_blank(text: &LitStr) -> bool {
    text.value().trim().is_empty()
}

/// The label of a name: both `thought_level` and `ThoughtLevel` become `Thought Level`.
pub(crate) fn title_case(name: &str) -> String {
    name.to_title_case()
}

/// The id of a name: `ThoughtLevel` becomes `thought_level`.
pub(crate) fn snake_case(name: &str) -> String {
    name.to_snake_case()
}

/// The literal in `"a".to_string()` or `String::from("a")`. Authors write this where a plain text is enough.
pub(crate) fn converted(text: &Expr) -> Option<&LitStr> {
    const CONVERSIONS: &[&str] = &["to_string", "to_owned", "into"];
    let converted = match text {
        Expr::MethodCall(call) if CONVERSIONS.iter().any(|name| call.method == name) => Some(&*call.receiver),
        Expr::Call(call) if code(&call.func).ends_with("String::from") => call.args.first(),
        _ => None,
    };
    match converted {
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text),
        _ => None,
    }
}

/// A doc comment in the form for clients: the lines of a paragraph are joined, and paragraphs stay apart, as in
/// rustdoc. If a macro writes the text (`#[doc = include_str!("model.md")]`), only the compiler knows it, so it stays
/// unchanged.
#[derive(Clone)]
pub(crate) struct Description {
    /// The parts before the last text. The compiler joins these literals and macros.
    before: Vec<TokenStream>,
    text: String,
}

/// The description from the doc comments; `None` if there are none.
pub(crate) fn description(attributes: &[Attribute]) -> Option<Description> {
    let mut description = Description { before: Vec::new(), text: String::new() };
    let mut apart = false;
    for doc in attributes.iter().filter_map(doc) {
        match doc {
            Doc::Text(text) => lines(&text).iter().for_each(|line| description.line(line, &mut apart)),
            Doc::Computed(text) => {
                description.separate(" ", &mut apart);
                let before = std::mem::take(&mut description.text);
                description.before.extend([before.to_token_stream(), text]);
            }
        }
    }
    (!description.is_empty()).then_some(description)
}

impl Description {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.text.is_empty()
    }

    fn line(&mut self, line: &str, apart: &mut bool) {
        if line.is_empty() {
            *apart = !self.is_empty();
            return;
        }
        self.separate(if starts_item(line) { "\n" } else { " " }, apart);
        self.text.push_str(line);
    }

    fn separate(&mut self, by: &str, apart: &mut bool) {
        if std::mem::take(apart) {
            self.text.push_str("\n\n");
        } else if !self.is_empty() {
            self.text.push_str(by);
        }
    }

    /// The description as the value of a `doc` attribute.
    pub(crate) fn doc(&self) -> TokenStream {
        let Self { before, text } = self;
        if before.is_empty() { text.to_token_stream() } else { quote!(::core::concat!(#(#before,)* #text)) }
    }
}

/// The description as a constant expression. A file ends with a line break, which is removed for clients.
impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let text = self.doc();
        tokens.extend(if self.before.is_empty() { text } else { quote!(::core::primitive::str::trim_ascii(#text)) });
    }
}

/// The content of one `doc` attribute.
enum Doc {
    Text(String),
    /// A text that a macro writes.
    Computed(TokenStream),
}

fn doc(attribute: &Attribute) -> Option<Doc> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => said(&pair.value),
        _ => None,
    }
}

fn said(value: &Expr) -> Option<Doc> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(Doc::Text(text.value())),
        // A macro of the author passes the text on, as in `#[doc = $text]`.
        Expr::Group(group) => said(&group.expr),
        Expr::Macro(_) => Some(Doc::Computed(value.to_token_stream())),
        _ => None,
    }
}

fn lines(doc: &str) -> Vec<String> {
    // A `/** .. */` comment is one attribute. Its lines may begin with stars.
    let starred = doc.lines().skip(1).all(|line| line.trim().is_empty() || line.trim_start().starts_with('*'));
    let strip = |line: &str| {
        let line = line.trim();
        if starred { line.strip_prefix('*').unwrap_or(line).trim().to_owned() } else { line.to_owned() }
    };
    if doc.contains('\n') { doc.lines().map(strip).collect() } else { vec![doc.trim().to_owned()] }
}

fn starts_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{LitStr, parse_quote};

    fn literal(attributes: &[Attribute]) -> Option<String> {
        description(attributes).map(|description| syn::parse2::<LitStr>(description.doc()).unwrap().value())
    }

    #[test]
    fn what_a_macro_writes_is_left_to_the_compiler() {
        let item: syn::ItemStruct = parse_quote! {
            /// Which model
            /// answers:
            #[doc = include_str!("models.md")]
            ///
            /// No other.
            struct Model;
        };
        let description = description(&item.attrs).unwrap();
        let expected = quote!(::core::concat!("Which model answers: ", include_str!("models.md"), "\n\nNo other."));
        assert_eq!(description.doc().to_string(), expected.to_string());
        let trimmed = quote!(::core::primitive::str::trim_ascii(#expected));
        assert_eq!(quote!(#description).to_string(), trimmed.to_string());
    }

    #[test]
    fn labels_and_ids() {
        assert_eq!(title_case("thought_level"), "Thought Level");
        assert_eq!(title_case("FastAndCheap"), "Fast And Cheap");
        assert_eq!(snake_case("FastAndCheap"), "fast_and_cheap");
        assert_eq!(snake_case("HTTPServer"), "http_server");
        assert_eq!(plain(&parse_quote!(r#type)), "type");
    }

    #[test]
    fn lines_of_a_paragraph_are_one() {
        let item: syn::ItemStruct = parse_quote! {
            /// Which model
            /// answers.
            #[doc(hidden)]
            ///
            /// Either:
            /// - a quick one
            /// - a good one
            struct Model;
        };
        let expected = "Which model answers.\n\nEither:\n- a quick one\n- a good one";
        assert_eq!(literal(&item.attrs).as_deref(), Some(expected));
    }

    #[test]
    fn block_comments_lose_their_stars() {
        let item: syn::ItemStruct = parse_quote! {
            /**
             * Which model
             * answers.
             */
            struct Model;
        };
        assert_eq!(literal(&item.attrs).as_deref(), Some("Which model answers."));
        let bare: syn::ItemStruct = parse_quote!(
            struct Model;
        );
        assert_eq!(literal(&bare.attrs), None);
    }
}
