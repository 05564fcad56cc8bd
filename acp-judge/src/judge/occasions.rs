//! How often each rule was weighed: a message came that could have broken it.

use super::{Finding, RULES, Rule};
use crate::tape::Party;

/// The findings on a tape, with what was weighed to come to them. A rule without an occasion was not exercised: nothing on the tape
/// could have broken it, and so its silence says nothing.
///
/// ```
/// use acp_judge::{Departures, Party, Tape, review, rule};
///
/// let mut tape = Tape::new();
/// tape.say(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#);
/// let review = review(&tape, &Departures::new());
/// assert!(review.occasions(rule("jsonrpc-version").unwrap(), Party::Client) > 0);
/// assert_eq!(review.occasions(rule("answer-once").unwrap(), Party::Agent), 0);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Review {
    /// The findings, in the order of the tape.
    pub findings: Vec<Finding>,
    /// What would be findings if the messages proved it. Such a turn ends so soon behind its cancellation that it may have ended before the
    /// cancellation arrived.
    pub unproven: Vec<Finding>,
    pub(super) occasions: Occasions,
}

impl Review {
    /// How many messages, or ends of one, could have shown that this party breaks the rule.
    pub fn occasions(&self, rule: &Rule, by: Party) -> usize {
        self.occasions.0.get(rule.number).map_or(0, |counts| counts[usize::from(by == Party::Agent)])
    }
}

/// The occasions of each rule, by its number: those of the client, and those of the agent.
#[derive(Clone, Debug)]
pub(super) struct Occasions(Vec<[usize; 2]>);

impl Default for Occasions {
    fn default() -> Self {
        Self(vec![[0; 2]; RULES.len()])
    }
}

impl Occasions {
    pub(super) fn add(&mut self, rule: &'static Rule, by: Party) {
        self.0[rule.number][usize::from(by == Party::Agent)] += 1;
    }
}
