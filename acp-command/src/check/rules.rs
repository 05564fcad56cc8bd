//! The rules of a check: those of the judge, and those of the agent's process, which its messages do not show.

use acp_judge::{Level, Party, RULES, Rule};

/// A rule, of whichever kind.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) id: &'static str,
    pub(super) level: Level,
    /// The party that the rule binds; `None` if it binds both.
    pub(super) of: Option<Party>,
    pub(super) sentence: &'static str,
    /// The versions that it binds, with its pages.
    pub(super) places: &'static [(u16, &'static str)],
}

impl From<&Rule> for Known {
    fn from(rule: &Rule) -> Self {
        Self { id: rule.id, level: rule.level, of: rule.of, sentence: rule.sentence, places: rule.places }
    }
}

impl Known {
    pub(super) fn place(&self, version: u16) -> &'static str {
        self.places.iter().find(|(of, _)| *of == version).or(self.places.first()).map_or("", |(_, place)| place)
    }

    /// Whether it binds this party in this version.
    pub(super) fn binds(&self, party: Party, version: u16) -> bool {
        self.of != Some(party.other()) && self.places.iter().any(|(of, _)| *of == version)
    }

    /// What a finding is called: what the protocol demands, what it recommends, its drafts, and the rest.
    pub(super) fn kind(&self) -> Kind {
        match self.level {
            _ if self.id == "drafts" => Kind::Draft,
            Level::Must => Kind::Violation,
            Level::Should => Kind::Advice,
            Level::Note => Kind::Oddity,
        }
    }
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The protocol demands it.
    Violation,
    /// The protocol recommends it.
    Advice,
    /// It is allowed, and has surprised peers.
    Oddity,
    /// It is of the protocol's drafts.
    Draft,
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Violation => "violation",
            Self::Advice => "advice",
            Self::Oddity => "oddity",
            Self::Draft => "draft",
        }
    }
}

macro_rules! own {
    ($($id:literal, $level:ident, [$first:literal, $second:literal], $sentence:literal;)*) => {
        &[$(Known {
            id: $id,
            level: Level::$level,
            of: Some(Party::Agent),
            sentence: $sentence,
            places: &[
                (1, concat!("https://agentclientprotocol.com/protocol/v1/", $first)),
                (2, concat!("https://agentclientprotocol.com/protocol/v2/", $second)),
            ],
        }),*]
    };
}

/// The rules of the agent's process.
pub(super) static OWN: &[Known] = own! {
    "other-version", Must, ["initialization#version-negotiation", "initialization#version-negotiation"], "`initialize` is answered, whichever version the client asks for";
    "advertised-dead", Must, ["initialization#capabilities", "initialization#capabilities"], "what the agent advertises is served: methods, and kinds of content in prompts";
    "served-hidden", Should, ["initialization#capabilities", "initialization#capabilities"], "a method that the agent serves is advertised";
    "goes-on", Must, ["overview#communication-model", "overview#communication-model"], "an agent goes on, and answers, while its client keeps to the protocol";
    "goes-on-anyway", Should, ["overview#error-handling", "overview#error-handling"], "an agent goes on after a message that it does not know, cannot read or refuses";
    "custom-unknown", Should, ["extensibility#custom-requests", "extensibility#custom-requests"], "a custom request that the agent does not know is refused with the code -32601";
    "cancel-in-time", Must, ["prompt-turn#cancellation", "prompt-lifecycle#cancellation"], "a turn ends when it is cancelled";
    "slow-reader", Must, ["transports#stdio", "transports#stdio"], "a client that reads slowly gets every message, and the turn ends";
    "exit", Should, ["transports#stdio", "transports#stdio"], "the agent's process ends with its input";
    "exit-in-turn", Should, ["transports#stdio", "transports#stdio"], "the agent's process ends with its input, also in a turn";
    "exit-code", Should, ["transports#stdio", "transports#stdio"], "the agent's process succeeds if it ends with its input";
    "exit-by-signal", Should, ["transports#stdio", "transports#stdio"], "the agent's process ends by SIGTERM";
    "processes-left", Should, ["transports#stdio", "transports#stdio"], "no process that the agent has started outlives it";
};

/// All rules.
pub(super) fn all() -> impl Iterator<Item = Known> {
    RULES.iter().map(|rule| Known::from(*rule)).chain(OWN.iter().copied())
}

pub(super) fn known(id: &str) -> Option<Known> {
    all().find(|rule| rule.id == id)
}

/// Demands of the protocol that the client cannot see, each with the reason.
pub(super) const INVISIBLE: &[(&str, &str, &str)] = &[
    ("stderr-logs", "transports#stdio", "what an agent logs to stderr is free"),
    ("cwd-used", "session-setup#working-directory", "which folder a session works in shows only in what a model does"),
    (
        "mcp-connected",
        "session-setup#mcp-servers",
        "whether an agent connects to MCP servers shows only to these servers",
    ),
    (
        "resources-freed",
        "session-setup#closing-active-sessions",
        "the memory and files of a closed session are the agent's own",
    ),
    ("no-secret-forms", "elicitation", "whether a form asks for a secret is a matter of its meaning"),
    (
        "context-kept",
        "prompt-turn#6-continue-conversation",
        "whether a model knows what was said before is a matter of its answers",
    ),
    ("model-stops", "prompt-turn#cancellation", "whether a request to a model is aborted shows only to the model"),
    (
        "options-work",
        "session-config-options",
        "whether an option does what its name says shows only in what a model does",
    ),
    ("option-order", "session-config-options#option-ordering", "which option matters most is the agent's opinion"),
    ("plan-whole", "agent-plan", "whether a plan lists all tasks is known to the agent only"),
    (
        "refusal-dropped",
        "prompt-turn#stop-reasons",
        "whether a refused prompt is left out of the next one shows only to the model",
    ),
    (
        "approval-obeyed",
        "tool-calls#requesting-permission",
        "what a tool does without approval shows in the machine, not in messages",
    ),
    (
        "roots-bound",
        "session-setup#additional-workspace-roots",
        "what an agent reads by itself shows in the machine, not in messages",
    ),
    (
        "content-seen",
        "initialization#prompt-capabilities",
        "whether an agent uses an image, audio or a resource that it has taken shows only in what its model says",
    ),
    ("login-works", "authentication", "a login needs a user and an account"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_rule_has_an_id_of_its_own_and_at_most_20_are_invisible() {
        let ids: Vec<_> = all().map(|rule| rule.id).chain(INVISIBLE.iter().map(|(id, ..)| *id)).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        assert!(INVISIBLE.len() <= 20 && all().count() >= 120, "{}", all().count());
        assert!(known("goes-on").is_some_and(|rule| rule.place(2).ends_with("v2/overview#communication-model")));
    }
}
