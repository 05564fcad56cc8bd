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
    /// What would be findings if the messages proved it. A turn ends so soon behind its cancellation that it may have ended before the
    /// cancellation arrived. Or wrong params are answered with a result, so that nobody sees the code of a refusal.
    pub unproven: Vec<Finding>,
    /// Where the judge stopped, if the agent has answered `initialize` with a version whose rules it cannot be judged by.
    pub unjudged: Option<Unjudged>,
    pub(super) occasions: Occasions,
}

/// The rest of a tape, which was not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unjudged {
    /// The first entry of it, counted from 0.
    pub entry: usize,
    /// Why it was not judged.
    pub why: String,
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
