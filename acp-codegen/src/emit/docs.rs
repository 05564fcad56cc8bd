//! Writes the schema's descriptions as rustdoc. Links have a form that rustdoc accepts, and code is not compiled as a
//! doctest.

use proc_macro2::TokenStream;
use quote::quote;

/// The doc attributes for a description; none without a description.
pub(super) fn doc(text: Option<&str>) -> TokenStream {
    let Some(text) = text else { return TokenStream::new() };
    let mut fenced = false;
    let lines = text.trim().lines().map(|line| {
        let line = rustdoc_line(line.trim_end(), &mut fenced);
        if line.is_empty() { line } else { format!(" {line}") }
    });
    quote!(#(#[doc = #lines])*)
}

/// The doc attributes for a description. If there is none, the doc attributes for `otherwise`, because every public
/// item has documentation.
pub(super) fn doc_or(text: Option<&str>, otherwise: impl FnOnce() -> String) -> TokenStream {
    match text {
        Some(text) if !text.trim().is_empty() => doc(Some(text)),
        _ => doc(Some(&otherwise())),
    }
}

/// The first sentence of a field's description, for its setter.
pub(super) fn summary(text: Option<&str>, wire: &str) -> TokenStream {
    let text = text.unwrap_or_default().trim();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let sentence = paragraph.split_once(". ").map_or(paragraph, |(sentence, _)| sentence).trim_end_matches('.');
    if sentence.is_empty() || wire == "_meta" {
        return doc(Some(&format!("Sets `{wire}`.")));
    }
    doc(Some(&format!("Sets `{wire}`. {sentence}.")))
}

/// The characters that rustc refuses in a comment: carriage returns without a line feed, and characters that change the
/// direction of text.
fn is_no_comment(c: char) -> bool {
    c.is_control() && c != '\t' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn rustdoc_line(line: &str, fenced: &mut bool) -> String {
    let line = &line.replace(is_no_comment, " ");
    if let Some(info) = line.trim_start().strip_prefix("```") {
        let opens = !*fenced;
        *fenced = opens;
        // rustdoc would compile a code block without a language, or in Rust, as a test.
        let compiled = info.trim().is_empty() || info.trim().starts_with("rust");
        return if opens && compiled { "```text".to_owned() } else { line.to_owned() };
    }
    if *fenced { line.to_owned() } else { plain_code_links(&bare_links(line)) }
}

/// Changes `https://x` to `<https://x>`, unless it already stands in a Markdown link or in code.
fn bare_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find("https://").or_else(|| rest.find("http://")) {
        let (before, link) = rest.split_at(start);
        let end = link.find(|c: char| c.is_whitespace() || "<>)]`\"'".contains(c)).unwrap_or(link.len());
        let end = link[..end].trim_end_matches(['.', ',', ';', ':']).len();
        out.push_str(before);
        let in_code = out.matches('`').count() % 2 == 1;
        let linked = before.ends_with(['(', '<', '[', '"', '\'']) || before.ends_with("]: ") || in_code;
        if linked {
            out.push_str(&link[..end]);
        } else {
            out.push('<');
            out.push_str(&link[..end]);
            out.push('>');
        }
        rest = &link[end..];
    }
    out.push_str(rest);
    out
}

/// Changes ``[`Name`]`` to `` `Name` ``. Such links lead to types of the crate that made the schema, and these types do
/// not exist here.
fn plain_code_links(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find("[`") {
        let Some(length) = rest[start..].find("`]") else { break };
        let after = start + length + 2;
        // A line `[x]: address` gives the target of a link. It is the only content of its line.
        let is_first = out.trim().is_empty() && rest[..start].trim().is_empty();
        let explicit = rest[after..].starts_with('(') || is_first && rest[after..].starts_with(':');
        out.push_str(&rest[..start]);
        out.push_str(if explicit { &rest[start..after] } else { &rest[start + 1..after - 1] });
        rest = &rest[after..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_links_are_wrapped() {
        assert_eq!(bare_links("See https://a.b/c."), "See <https://a.b/c>.");
        assert_eq!(bare_links("[x](https://a.b) and <https://c.d>"), "[x](https://a.b) and <https://c.d>");
        assert_eq!(bare_links("[1]: https://a.b"), "[1]: https://a.b");
        assert_eq!(bare_links("`https://a.b`, https://c.d"), "`https://a.b`, <https://c.d>");
    }

    #[test]
    fn links_to_foreign_types_become_code() {
        assert_eq!(plain_code_links("a [`Foo::Bar`] b"), "a `Foo::Bar` b");
        assert_eq!(plain_code_links("[`Foo`](https://a)"), "[`Foo`](https://a)");
        assert_eq!(plain_code_links("Schema of [`Foo::bar`]: any"), "Schema of `Foo::bar`: any");
        assert_eq!(plain_code_links("[`Foo`]: https://a"), "[`Foo`]: https://a");
    }

    #[test]
    fn what_no_comment_may_hold_is_a_space() {
        assert_eq!(rustdoc_line("a\rb\u{202e}c\0", &mut false), "a b c ");
    }

    #[test]
    fn fences_are_no_tests() {
        let mut fenced = false;
        assert_eq!(rustdoc_line("```", &mut fenced), "```text");
        assert_eq!(rustdoc_line("https://a", &mut fenced), "https://a");
        assert_eq!(rustdoc_line("```", &mut fenced), "```");
        assert!(!fenced);
    }
}
