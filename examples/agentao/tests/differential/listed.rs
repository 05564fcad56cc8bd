//! The differences that are meant, each with its reason.

use std::collections::BTreeSet;

use serde_json::Value;

use super::talk::Seen;

/// Why there is a difference, and its places. In these, `*` is any text, and `?` is one sign.
const LISTED: &[(&str, &[&str])] = &[
    ("they are two programs", &["*/answer/result/agentInfo/version"]),
    (
        "C.1: both are false in the reference, and 0.5.17 has added them",
        &[
            "*/agentCapabilities/promptCapabilities/image",
            "*/agentCapabilities/mcpCapabilities/http",
            "remote servers 1/*",
        ],
    ),
    (
        "C.1 lists the vendor's methods; 0.5.17 leaves out `_agentao.cn/set_model`, and the wording is ours",
        &["*/_agentao.cn/extensions/0/description", "*/_agentao.cn/extensions/1/*"],
    ),
    ("the protocol has one `initialize`; the reference does not speak of a second one", &["again 0/*"]),
    (
        "C.2 has no `modes`",
        &[
            "new 0/answer/result/modes/*",
            "remote servers 0/answer/result/modes/*",
            "resume*new ?/answer/result/modes/*",
        ],
    ),
    ("C.4 has no such field", &["*/schema_version"]),
    ("C.4 has no `current_mode_update`", &["modes/*", "full access/current_mode_update*"]),
    (
        "C.4: a call of a tool that runs is in progress; 0.5.17 repeats its title instead, without a status",
        &["*/tool_call_update 1/*", "*/tool_call_update in_progress 1/*", "*/order"],
    ),
    (
        "the tools and what they say are not those of Agentao",
        &[
            "*/tool_call_update completed 1/content*",
            "*/tool_call completed 1/content*",
            "*/tool_call_update failed 1/content*",
        ],
    ),
    (
        "C.7: history comes as `session/update`; here a call comes in its last state, and there as two updates",
        &["second process: load/tool_call_update completed 1/*", "resume*new/tool_call_update completed 1/*"],
    ),
    (
        "C.5 has three options, and a call as in C.4; 0.5.17 has a fourth option, other ids, and its tool's description",
        &["*/session/request_permission 1/options/*", "*/session/request_permission 1/toolCall/*"],
    ),
    (
        "C.4: an error of the model is a thought; 0.5.17 says it in the data of the error",
        &["failure/agent_thought_chunk 1/*", "failure 0/answer/error/data/*"],
    ),
    (
        "the reference refuses no switch during a turn, and 0.5.17 does",
        &["cancelled text beside 1/*", "cancelled text beside 2/*"],
    ),
    (
        "C.6: the answer is `{}`; 0.5.17 answers `null`",
        &["cancel 0/answer/result", "cancelled by a request beside 0/answer/result"],
    ),
    ("C.3 has only texts", &["link*"]),
    ("the reference has neither `session/set_model` nor `session/list_models`", &["others 6/*", "others 7/*"]),
    (
        "in the protocol, `args` and `env` must be there, and the reference does not say that they may be missing",
        &["short servers: new*"],
    ),
    ("C.7: the agent may refuse other MCP servers, and this one does", &["other servers: load*"]),
];

/// Compares what is seen of the two agents.
pub(crate) fn compare(theirs: &Seen, ours: &Seen) {
    let mut unlisted = Vec::new();
    let mut unused: BTreeSet<(&str, &str)> = patterns().collect();
    for place in theirs.keys().chain(ours.keys()).collect::<BTreeSet<_>>() {
        let (of_them, of_us) = (theirs.get(place), ours.get(place));
        if of_them == of_us {
            continue;
        }
        let fitting: Vec<_> = patterns().filter(|(pattern, _)| fits(pattern, place)).collect();
        if fitting.is_empty() {
            unlisted.push(format!("{place}: {} is {}", shown(of_them), shown(of_us)));
        }
        unused.retain(|listed| !fitting.contains(listed));
    }
    assert!(unlisted.is_empty(), "they differ, and no entry of the list says why:\n{}", unlisted.join("\n"));
    assert!(unused.is_empty(), "these entries of the list have no difference any more:\n{unused:#?}");
}

/// Each pattern, with the reason of its differences.
fn patterns() -> impl Iterator<Item = (&'static str, &'static str)> {
    LISTED.iter().flat_map(|(why, places)| places.iter().map(|place| (*place, *why)))
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

/// Whether a pattern fits a place.
fn fits(pattern: &str, place: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => place.is_empty(),
        Some('*') => (0..=place.len()).any(|at| place.get(at..).is_some_and(|place| fits(rest.as_str(), place))),
        Some(sign) => {
            let mut place = place.chars();
            place.next().is_some_and(|next| sign == '?' || sign == next) && fits(rest.as_str(), place.as_str())
        }
    }
}
