//! The judge: compares the messages of a connection with the rules of the protocol.
//!
//! It reads only messages, so it judges agents of any kind: an agent under test in memory, a process, a recording. Each rule of
//! [`RULES`] has a name, a sentence and its place in the protocol. [`judge`] reads a [`Tape`] and reports the broken rules,
//! with the party and the place. A rule reports nothing if the messages prove nothing: for example, whether a turn ended before
//! its cancellation arrived.

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

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The party that broke it.
    pub by: Party,
    /// The first entry of the tape that shows it, counted from 0.
    pub entry: usize,
    /// The number of entries that show it.
    pub times: usize,
    /// The event.
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

/// Judges the messages of a connection. The findings are in the order of the tape.
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

/// Whether the client waits for an answer, except for answers that may take as long as a model or a user.
pub(super) fn is_waiting(tape: &Tape) -> bool {
    let mut judge = connection::Judge::default();
    tape.entries().iter().for_each(|entry| judge.entry(entry));
    judge.is_waiting()
}
