//! What an agent declares beside the protocol's schema.

use std::collections::BTreeSet;

use acp_schema::Member;

/// Methods and members that the protocol does not have, and that an agent has by intention. The judge does not report them.
/// A member is declared for the versions of its constant, and a method for all of them.
///
/// ```
/// use acp_judge::{Departures, Party, Tape, judge_with};
/// use acp_schema::Member;
///
/// const MODELS: Member = Member::new("models").version(1);
///
/// let mut tape = Tape::new();
/// tape.say(Party::Client, r#"{"jsonrpc":"2.0","id":1,"method":"session/set_model","params":{}}"#);
/// let departures = Departures::new().member(MODELS).method("session/set_model");
/// assert!(judge_with(&tape, &departures).iter().all(|finding| finding.rule.id != "method-name"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Departures {
    methods: BTreeSet<String>,
    members: Vec<Member>,
    opens_on_demand: bool,
}

impl Departures {
    /// No departures.
    pub fn new() -> Self {
        Self::default()
    }

    /// A method that clients call by its name.
    #[must_use]
    pub fn method(mut self, name: impl Into<String>) -> Self {
        self.methods.insert(name.into());
        self
    }

    /// A member of messages of the agent: the constant by which the agent adds it.
    #[must_use]
    pub fn member(mut self, member: Member) -> Self {
        self.members.push(member);
        self
    }

    /// Prompts and changes of options open the session that they name.
    #[must_use]
    pub fn on_demand(mut self) -> Self {
        self.opens_on_demand = true;
        self
    }

    pub(super) fn opens_on_demand(&self) -> bool {
        self.opens_on_demand
    }

    pub(super) fn has_method(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// Whether the place of a message, such as `/update/models`, is that of a member.
    pub(super) fn has_member(&self, at: &str, version: u16) -> bool {
        let name = at.rsplit('/').next().unwrap_or_default();
        self.members.iter().any(|member| member.name() == name && member.is_of(version))
    }
}
