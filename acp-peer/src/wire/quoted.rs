//! Texts of others in our messages: the peer's names, cut, and serde_json's errors, without the content that they quote.

use std::fmt;

/// A name from the peer, cut to a length that fits into a message.
pub struct Short<'a>(pub &'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 64;
        match self.0.char_indices().nth(LONGEST) {
            Some((end, _)) => write!(f, "{}…", &self.0[..end]),
            None => f.write_str(self.0),
        }
    }
}

/// serde_json's error without the quoted part of the input (`invalid type: string "secret", expected a map`).
pub(crate) struct Redacted<'a>(pub(crate) &'a serde_json::Error);

impl Redacted<'_> {
    /// The text without the place.
    pub(super) fn what(&self) -> String {
        use serde_json::error::Category;
        let mut text = self.0.to_string();
        if let (1.., Some(at)) = (self.0.line(), text.rfind(" at line ")) {
            text.truncate(at);
        }
        match self.0.classify() {
            // For these errors, serde_json has constant texts of its own.
            Category::Syntax | Category::Eof => text,
            Category::Io => "input or output failed".to_owned(),
            Category::Data => own_words(&text).unwrap_or("a value does not fit").to_owned(),
        }
    }
}

impl fmt::Display for Redacted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match (self.0.line(), self.0.column()) {
            (0, _) => Ok(()),
            (line, column) => write!(f, " (line {line}, column {column})"),
        }
    }
}

/// The part of serde's message that comes from our types. The other part may come from the input.
fn own_words(text: &str) -> Option<&str> {
    if let Some(name) = text.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$'));
        return plain.then_some(text);
    }
    // In these messages, there is no text of our types after the quoted content.
    if [", there are no fields", ", there are no variants"].iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let quotes = ["invalid type: ", "invalid value: ", "invalid length ", "unknown variant `", "unknown field `"];
    // The quoted content comes first and may be any text. The expected type comes last.
    quotes.iter().any(|start| text.starts_with(start)).then(|| text.rfind("expected ").map(|at| &text[at..]))?
}
