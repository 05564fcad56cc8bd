//! The terminals of tool calls: those that `acp` runs for the agent (version 1), and those of which the agent tells (version 2).

use std::collections::HashMap;

use acp_client::{
    TerminalState, TerminalUpdate,
    parts::Terminals,
    values::{SessionId, TerminalId},
};

/// So many bytes of a terminal's output are kept: its last ones.
const KEPT: usize = 1024 * 1024;

#[derive(Default)]
pub(super) struct Screens {
    /// Those that `acp` runs, and the session.
    own: Option<(Terminals, SessionId)>,
    told: HashMap<TerminalId, TerminalState>,
}

impl Screens {
    /// From here on, the terminals of this session can be shown.
    pub(super) fn are_of(&mut self, terminals: Terminals, session: SessionId) {
        self.own = Some((terminals, session));
    }

    /// Takes what the agent tells of its own terminal.
    pub(super) fn update(&mut self, update: &TerminalUpdate) {
        let state = self.told.entry(update.terminal_id.clone()).or_default();
        state.apply(update);
        let more = state.output.len().saturating_sub(KEPT);
        state.output.drain(..more);
    }

    /// The lines of a terminal: its command if it is known, its output, and how it ended if it failed.
    pub(super) fn lines(&self, id: &TerminalId) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(state) = self.told.get(id) {
            lines.extend(state.command.as_ref().map(|command| format!("$ {command}")));
            lines.extend(plain(&String::from_utf8_lossy(&state.output)));
            let exit = state.exit.as_ref();
            lines.extend(exit.and_then(|exit| ending(exit.code, exit.signal.as_deref())));
        } else if let Some(shown) = self.own.as_ref().and_then(|(terminals, session)| terminals.shown(session, id)) {
            lines.extend(shown.truncated.then(|| "..".to_owned()));
            lines.extend(plain(&shown.output));
            let exit = shown.exit_status.as_ref();
            lines.extend(exit.and_then(|exit| ending(exit.exit_code.map(i64::from), exit.signal.as_deref())));
        } else {
            lines.push(format!("[terminal {id}]"));
        }
        lines
    }
}

/// Lines without the sequences that move the cursor or colour a text, as a terminal shows them.
fn plain(text: &str) -> impl Iterator<Item = String> {
    let mut shown = String::new();
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\u{1b}' if signs.next_if_eq(&'[').is_some() => {
                // The parameters of the sequence, and the sign that ends it.
                while signs.next().is_some_and(|sign| !('@'..='~').contains(&sign)) {}
            }
            '\u{1b}' => {}
            // A line that is written again replaces what stood there.
            '\r' if signs.peek() != Some(&'\n') => shown.truncate(shown.rfind('\n').map_or(0, |end| end + 1)),
            '\r' => {}
            sign => shown.push(sign),
        }
    }
    shown.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// How a command ended, if it failed.
fn ending(code: Option<i64>, signal: Option<&str>) -> Option<String> {
    match (code, signal) {
        (_, Some(signal)) => Some(format!("[ended by {signal}]")),
        (Some(code), None) if code != 0 => Some(format!("[exit code {code}]")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_shown_as_a_terminal_shows_it() {
        let lines: Vec<_> = plain("\u{1b}[1;32mok\u{1b}[0m\r\n10%\r50%\r100%\nend").collect();
        assert_eq!(lines, ["ok", "100%", "end"]);
        assert_eq!((ending(Some(0), None), ending(Some(2), None)), (None, Some("[exit code 2]".to_owned())));
        assert_eq!(ending(None, Some("SIGTERM")).as_deref(), Some("[ended by SIGTERM]"));
    }
}
