//! An agent that a person starts by hand, in a terminal.

use std::{
    env,
    ffi::OsString,
    io::{self, IsTerminal as _, Write as _},
};

/// Says on standard error what the program waits for, if its standard input is a terminal: a client would have opened a pipe. Without this
/// line, the person sees a program that hangs.
pub(super) fn tell() {
    if io::stdin().is_terminal() {
        // Standard error may be closed. Then nobody reads it.
        let _ = writeln!(io::stderr(), "{}", line(env::args_os()));
    }
}

fn line(mut arguments: impl Iterator<Item = OsString>) -> String {
    let program = arguments.next().map_or_else(|| "PROGRAM".to_owned(), |program| word(&program));
    let typed = arguments.fold(program.clone(), |typed, argument| typed + " " + &word(&argument));
    format!(
        "{program} is an agent: it waits for messages of the Agent Client Protocol (ACP) on standard input, which an editor writes. \
         To talk to it yourself, end it by Ctrl-D, and run `acp run -- {typed}`."
    )
}

/// An argument as a person would type it.
fn word(argument: &OsString) -> String {
    let text = argument.to_string_lossy();
    let is_plain = |sign: char| sign.is_alphanumeric() || "-_./=:@,+\\".contains(sign);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_arguments_as_they_were_typed() {
        let said = line(["./coder", "--store", "my sessions.db"].map(OsString::from).into_iter());
        assert!(said.starts_with("./coder is an agent"), "{said}");
        assert!(said.ends_with("`acp run -- ./coder --store 'my sessions.db'`."), "{said}");
    }
}
