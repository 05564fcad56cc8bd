//! The judge: one file for each area of rules.

mod activity;
mod ahead;
mod asking;
mod connection;
mod content;
mod departures;
mod envelope;
mod gates;
mod handshake;
mod history;
mod lists;
mod loads;
mod occasions;
mod replay;
mod rules;
mod schema;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod tools;
mod turns;
mod unreadable;
mod v2;

use std::fmt;

use self::connection::Judge;
pub use self::{
    departures::Departures,
    handshake::agrees_blindly,
    occasions::{Review, Unjudged},
    replay::{ReplayError, Replayed, replay},
    rules::{Level, RULES, Rule, rule},
};
use crate::tape::{Party, Tape};

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The party that broke it.
    pub by: Party,
    /// The first entry of the tape that shows the breach, counted from 0.
    pub entry: usize,
    /// The number of entries that show the breach.
    pub times: usize,
    /// A description of the breach.
    pub text: String,
    /// The version of the protocol that the messages have at this place. Before `initialize` is answered, it is the
    /// version that the client asks for.
    pub version: u16,
}

impl Finding {
    /// The place of the rule in the version that the messages have.
    ///
    /// ```
    /// use acp_judge::{Party, Tape, judge};
    ///
    /// let mut tape = Tape::new();
    /// tape.say(Party::Agent, "Starting up..");
    /// assert!(judge(&tape)[0].place().ends_with("v1/transports#stdio"));
    /// ```
    pub fn place(&self) -> &'static str {
        self.rule.place_in(self.version).unwrap_or(self.rule.place)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, by, entry, times, text, version: _ } = self;
        write!(f, "{} {} the {by}, line {}", rule.id, rule.level, entry + 1)?;
        if *times > 1 {
            write!(f, " and {} more", times - 1)?;
        }
        write!(f, ": {text}")
    }
}

/// Judges the messages of a connection. The findings are in the order of the tape.
///
/// The version of the protocol is the one that `initialize` negotiated. The judge knows versions 1 and 2; of other
/// versions it reads `initialize` only.
///
/// ```
/// use acp_judge::{Party, Tape, judge};
///
/// let mut tape = Tape::new();
/// tape.say(Party::Agent, "Starting up..");
/// let findings = judge(&tape);
/// assert_eq!(findings[0].rule.id, "message-lines");
/// assert!(findings[0].rule.place.ends_with("transports#stdio"));
/// ```
pub fn judge(tape: &Tape) -> Vec<Finding> {
    judge_with(tape, &Departures::default())
}

/// As [`judge`], for an agent that departs from the schema by intention.
pub fn judge_with(tape: &Tape, departures: &Departures) -> Vec<Finding> {
    review(tape, departures).findings
}

/// As [`judge_with`], with what was weighed for each rule.
pub fn review(tape: &Tape, departures: &Departures) -> Review {
    ahead::all(tape.entries(), Judge::new(departures.clone())).end()
}

/// Whether the client waits for an answer. Answers that may wait for a model or a user do not count.
#[doc(hidden)] // for the testing kit of `acp-client`
pub fn is_waiting(tape: &Tape) -> bool {
    ahead::all(tape.entries(), Judge::new(Departures::default())).is_waiting()
}
