//! The page: its text, style and script are files of their own; the recording stands in it as data.
//!
//! Nothing of the recording is markup: it stands in two blocks of data, in which each `<` is written as JSON writes it, so that no text
//! can end its block. A policy allows only the page's own style and script, by their digests.

use std::io::{self, Write};

use acp_judge::{Entry, Tape};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

use super::overview::Overview;

/// How each page begins.
pub(super) const MARK: &str = "<!doctype html>\n<!-- acp view -->\n";

const BODY: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// One script, whose files share their names.
const SCRIPT: &str = concat!(
    "\"use strict\";\n",
    include_str!("page/recording.js"),
    include_str!("page/words.js"),
    include_str!("page/list.js"),
    include_str!("page/detail.js"),
    include_str!("page/overview.js"),
    include_str!("page/main.js"),
);

/// Writes the page.
pub(super) fn write(mut out: impl Write, overview: &Overview, tape: &Tape) -> io::Result<()> {
    let (style, script) = (digest(STYLE), digest(SCRIPT));
    write!(
        out,
        "{MARK}<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src \
         'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light \
         dark\">\n<title>Recording</title>\n<style>{STYLE}</style>\n</head>\n{BODY}"
    )?;
    let overview = serde_json::to_string(overview).map_err(io::Error::other)?;
    writeln!(out, "<script type=\"application/json\" id=\"overview\">{}</script>", inert(&overview))?;
    out.write_all(b"<script type=\"application/x-lines\" id=\"lines\">")?;
    for entry in tape.entries() {
        out.write_all(line(entry).as_bytes())?;
        out.write_all(b"\n")?;
    }
    write!(out, "</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")?;
    out.flush()
}

/// The name of a text in a policy.
fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// JSON that cannot end the block in which it stands. In JSON, these signs stand only in strings.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// One line of the block: a message as it was sent, or other output as a JSON string. The end of a side is empty.
fn line(entry: &Entry) -> String {
    let Some(text) = entry.text() else { return String::new() };
    if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok() {
        // A browser would read a `\r` as the end of a line. In JSON, it stands only between the values.
        inert(&text).replace('\r', "")
    } else {
        inert(&serde_json::Value::from(&*text).to_string())
    }
}

#[cfg(test)]
mod tests {
    use acp_judge::{Party, Tape};

    use super::*;

    #[test]
    fn no_line_ends_its_block() {
        let mut tape = Tape::new();
        for text in ["{\"a\":\"</script><!--\"}\r", "</script>\r<b>\u{0}", "[1,\t2]"] {
            tape.say(Party::Agent, text);
        }
        tape.hang_up(Party::Agent);
        let lines: Vec<_> = tape.entries().iter().map(line).collect();
        assert_eq!(lines, [r#"{"a":"\u003c/script>\u003c!--"}"#, r#""\u003c/script>\r\u003cb>\u0000""#, "[1,\t2]", ""]);
        for (line, text) in lines.iter().zip(["</script><!--", "</script>\r<b>\u{0}"]) {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(value.get("a").unwrap_or(&value), text);
        }
    }
}
