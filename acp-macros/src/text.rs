//! Texts that a client shows, taken from the author's code: labels and ids from names, descriptions
//! from doc comments.

use heck::{ToSnakeCase, ToTitleCase};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta};

/// The name as written, without `r#`.
pub(crate) fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

/// `thought_level`, `ThoughtLevel` -> `Thought Level`.
pub(crate) fn title_case(name: &str) -> String {
    name.to_title_case()
}

/// `ThoughtLevel` -> `thought_level`.
pub(crate) fn snake_case(name: &str) -> String {
    name.to_snake_case()
}

/// The doc comment as a client should show it: the lines of a paragraph joined, as rustdoc would
/// flow them, paragraphs apart. `None` without one.
pub(crate) fn description(attributes: &[Attribute]) -> Option<String> {
    let mut text = String::new();
    let mut apart = false;
    for line in attributes.iter().filter_map(doc).flat_map(|doc| lines(&doc)) {
        if line.is_empty() {
            apart = !text.is_empty();
            continue;
        }
        if apart {
            text.push_str("\n\n");
        } else if !text.is_empty() {
            text.push(if starts_item(&line) { '\n' } else { ' ' });
        }
        apart = false;
        text.push_str(&line);
    }
    (!text.is_empty()).then_some(text)
}

fn doc(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn lines(doc: &str) -> Vec<String> {
    // A `/** .. */` comment is one attribute with stars before its lines.
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
    use syn::parse_quote;

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
        assert_eq!(description(&item.attrs).as_deref(), Some(expected));
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
        assert_eq!(description(&item.attrs).as_deref(), Some("Which model answers."));
        let bare: syn::ItemStruct = parse_quote!(
            struct Model;
        );
        assert_eq!(description(&bare.attrs), None);
    }
}
