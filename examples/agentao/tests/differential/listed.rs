//! The differences that are meant, each with its reason.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::talk::Seen;

/// A difference: its places (with `*` for any text), and why it is there.
struct Listed {
    places: &'static [&'static str],
    why: &'static str,
}

const LISTED: &[Listed] = &[
    Listed { places: &["*/answer/result/agentInfo/version"], why: "they are two programs" },
    Listed {
        places: &[
            "*/agentCapabilities/promptCapabilities/image",
            "*/agentCapabilities/mcpCapabilities/http",
            "remote servers 1/*",
        ],
        why: "C.1: both are false in the reference, and 0.5.17 has added them",
    },
    Listed {
        places: &["*/_agentao.cn/extensions/0/description", "*/_agentao.cn/extensions/1/*"],
        why: "C.1 lists the vendor's methods; 0.5.17 leaves out `_agentao.cn/set_model`, and the wording is ours",
    },
    Listed {
        places: &["again 0/*"],
        why: "the protocol has one `initialize`; the reference does not speak of a second one",
    },
    Listed {
        places: &[
            "new 0/answer/result/modes/*",
            "remote servers 0/answer/result/modes/*",
            "resume*new ?/answer/result/modes/*",
        ],
        why: "C.2 has no `modes`",
    },
    Listed { places: &["*/schema_version"], why: "C.4 has no such field" },
    Listed { places: &["modes/*", "full access/current_mode_update*"], why: "C.4 has no `current_mode_update`" },
    Listed {
        places: &["*/tool_call_update 1/*", "*/tool_call_update in_progress 1/*", "*/order"],
        why: "C.4: a call of a tool that runs is in progress; 0.5.17 repeats its title instead, without a status",
    },
    Listed {
        places: &[
            "*/tool_call_update completed 1/content*",
            "*/tool_call completed 1/content*",
            "*/tool_call_update failed 1/content*",
        ],
        why: "the tools and what they say are not those of Agentao",
    },
    Listed {
        places: &["second process: load/tool_call_update completed 1/*", "resume*new/tool_call_update completed 1/*"],
        why: "C.7: history comes as `session/update`; here a call comes in its last state, and there as two updates",
    },
    Listed {
        places: &["*/session/request_permission 1/options/*", "*/session/request_permission 1/toolCall/*"],
        why: "C.5 has three options, and a call as in C.4; 0.5.17 has a fourth option, other ids, and its tool's description",
    },
    Listed {
        places: &["failure/agent_thought_chunk 1/*", "failure 0/answer/error/data/*"],
        why: "C.4: an error of the model is a thought; 0.5.17 says it in the data of the error",
    },
    Listed {
        places: &["cancelled text beside 1/*", "cancelled text beside 2/*"],
        why: "the reference refuses no switch during a turn, and 0.5.17 does",
    },
    Listed {
        places: &["cancel 0/answer/result", "cancelled by a request beside 0/answer/result"],
        why: "C.6: the answer is `{}`; 0.5.17 answers `null`",
    },
    Listed { places: &["link*"], why: "C.3 has only texts" },
    Listed {
        places: &["others 6/*", "others 7/*"],
        why: "the reference has neither `session/set_model` nor `session/list_models`",
    },
    Listed {
        places: &["short servers: new*"],
        why: "in the protocol, `args` and `env` must be there, and the reference does not say that they may be missing",
    },
    Listed { places: &["other servers: load*"], why: "C.7: the agent may refuse other MCP servers, and this one does" },
];

/// Compares what is seen of the two agents.
pub(crate) fn compare(theirs: &Seen, ours: &Seen) {
    let mut unlisted = Vec::new();
    let mut unused: BTreeSet<(&str, &str)> =
        LISTED.iter().flat_map(|listed| listed.places.iter().map(|place| (*place, listed.why))).collect();
    let places: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    for place in places {
        let (of_them, of_us) = (theirs.get(place), ours.get(place));
        if of_them == of_us {
            continue;
        }
        let patterns = LISTED.iter().flat_map(|listed| listed.places.iter().map(|place| (*place, listed.why)));
        let fitting: Vec<_> = patterns.filter(|(pattern, _)| fits(pattern, place)).collect();
        if fitting.is_empty() {
            unlisted.push(format!("{place}: {} is {}", shown(of_them), shown(of_us)));
        }
        unused.retain(|listed| !fitting.contains(listed));
    }
    assert!(unlisted.is_empty(), "they differ, and no entry of the list says why:\n{}", unlisted.join("\n"));
    assert!(unused.is_empty(), "these entries of the list have no difference any more:\n{unused:#?}");
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

/// Whether a pattern fits a place: `*` is any text, and `?` is one sign.
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
