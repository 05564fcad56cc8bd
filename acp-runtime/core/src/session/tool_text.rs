//! Texts that are too long for a model.

/// A text with a bound, for the result of a tool: a model reads only so much, and a file or a server may give more.
///
/// A text of at most `bytes` bytes stays as it is. A longer one is cut behind a whole character, at `bytes` bytes or shortly
/// before, and a last line says so to the model. This line comes on top of the bound.
///
/// For a command of a workspace, use its `output_byte_limit` instead: it keeps the end of the output, where the errors stand.
///
/// ```
/// use acp_runtime::session::shortened;
///
/// assert_eq!(shortened("one line", 32 * 1024), "one line");
/// assert_eq!(shortened("Grüße", 3), "Gr\n(the first 2 of 7 bytes; the rest is left out)");
/// ```
#[must_use]
pub fn shortened(text: impl Into<String>, bytes: usize) -> String {
    let mut text = text.into();
    let length = text.len();
    if length > bytes {
        // 0 is the begin of a character.
        let end = (0..=bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
        text.push_str(&format!("\n(the first {end} of {length} bytes; the rest is left out)"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_character_and_says_so() {
        for (text, bytes, begin) in [
            ("", 0, None),
            ("four", 4, None),
            ("fours", 4, Some("four")),
            ("four", 0, Some("")),
            ("ab€", 4, Some("ab")),
            ("ab€c", 5, Some("ab€")),
            ("💩", 3, Some("")),
        ] {
            let (length, shown) = (text.len(), shortened(text, bytes));
            match begin {
                None => assert_eq!(shown, text),
                Some(begin) => {
                    let said = format!("(the first {} of {length} bytes; the rest is left out)", begin.len());
                    assert_eq!(shown, format!("{begin}\n{said}"));
                }
            }
        }
    }
}
