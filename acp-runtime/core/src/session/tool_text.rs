//! The texts of tools: a bound for the model, and a block of code for the user.

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

/// A text as a block of code in Markdown, for the content of a [tool call](super::ToolCallHandle::show): clients show texts as
/// Markdown. The fence is longer than each row of backticks in the text, so a text with blocks of its own stays one block.
///
/// ```
/// use acp_runtime::session::fenced;
///
/// assert_eq!(fenced("a * b * c"), "```\na * b * c\n```");
/// assert_eq!(fenced("```sh\nmake\n```"), "````\n```sh\nmake\n```\n````");
/// ```
#[must_use]
pub fn fenced(text: &str) -> String {
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}\n{text}{end}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        for (text, fence) in
            [("", "```"), ("a ` b `` c", "```"), ("```", "````"), ("x```` y ```\n", "`````"), ("ä`", "```")]
        {
            let block = fenced(text);
            let inside =
                block.strip_prefix(&format!("{fence}\n")).and_then(|rest| rest.strip_suffix(&format!("\n{fence}")));
            assert_eq!(inside, Some(text.trim_end_matches('\n')), "{block}");
        }
    }

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
