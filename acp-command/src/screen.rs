//! Writing: results to stdout, and what people are told beside them to stderr.

use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
};

/// Tells people something beside the result.
pub(crate) fn tell(message: fmt::Arguments<'_>) {
    // If stderr is closed, nobody wants the message.
    let _ = writeln!(io::stderr().lock(), "{}", visible(&message.to_string()));
}

/// Shows what is at work: on a terminal in a line that the next one replaces, elsewhere, as in the log of a CI, in a line of its own.
/// Without a text, the line goes.
pub(crate) fn progress(message: fmt::Arguments<'_>) {
    let text = visible(&message.to_string());
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        // Back to the begin of the line, and clear it.
        let _ = write!(err, "\r\x1b[K{text}");
    } else if !text.is_empty() {
        let _ = writeln!(err, "{text}");
    }
    let _ = err.flush();
}

/// Writes a piece of the result. On a terminal, the texts of agents cannot control it.
pub(crate) fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        out.write_all(visible(text).as_bytes())?;
    } else {
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}

/// The text without control characters, for a terminal.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c.to_string(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(shown).collect()
}
