//! The judge: holds what was said on a connection against the rules of the protocol.
//!
//! It looks at messages alone, so it judges agents of any make: one under test in memory, a process, a recording. Each rule of
//! [`RULES`] has a name, a sentence and its place in the protocol. [`judge`] reads a [`Tape`] and says what was broken, by whom and
//! where. A rule is silent where the messages do not prove anything: whether a turn ended before its cancellation arrived, say.

mod asking;
mod connection;
mod envelope;
mod gates;
mod rules;
mod schema;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod tools;
mod turns;

use std::fmt;

pub use self::rules::{Level, RULES, Rule, rule};
use super::tape::{Party, Tape};

/// Something that was said against a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Who broke it.
    pub by: Party,
    /// The entry of the tape that shows it first, counted from 0.
    pub entry: usize,
    /// How often it was shown.
    pub times: usize,
    /// What happened.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, by, entry, times, text } = self;
        write!(f, "{} {} the {by}, line {}", rule.id, rule.level, entry + 1)?;
        if *times > 1 {
            write!(f, " and {} more", times - 1)?;
        }
        write!(f, ": {text}")
    }
}

/// Judges what was said on a connection. The findings are in the order of the tape.
///
/// ```
/// use acp_client::testing::{Party, Tape, judge};
///
/// let mut tape = Tape::new();
/// tape.say(Party::Agent, "Starting up..");
/// let findings = judge::judge(&tape);
/// assert_eq!(findings[0].rule.id, "message-lines");
/// assert!(findings[0].rule.place.ends_with("transports#stdio"));
/// ```
pub fn judge(tape: &Tape) -> Vec<Finding> {
    let mut judge = connection::Judge::default();
    for entry in tape.entries() {
        judge.entry(entry);
    }
    judge.end()
}

/// Whether the client waits for an answer, but for those that take as long as a model or a user does.
pub(super) fn is_waiting(tape: &Tape) -> bool {
    let mut judge = connection::Judge::default();
    tape.entries().iter().for_each(|entry| judge.entry(entry));
    judge.is_waiting()
}
