//! What the judge says of other agents and clients, of departures, and of messages that belong to the other version.

use acp_schema::Member;
use serde_json::{Value, json};

use super::{BARE, GOOD, HELLO, OPEN, TURN, areas, found, tapes};
use crate::{Departures, Party, Tape, judge, judge_with};

/// Conversations of others, and the rules that they break: each finding was compared with the messages.
const FOREIGN: &[(&str, &[&str])] = &[
    // `@agentclientprotocol/sdk` 2.4.0, both sides on `experimental/v2`: prompts, permissions, a cancellation, a close, a
    // replay. On purpose, the agent advertises a method that it has not, and the client cancels a tool call that does
    // not advertise it.
    (
        include_str!("typescript.jsonl"),
        &[
            "baseline must the agent, line 76: does not have `session/delete`",
            "cancel-offered must the client, line 77: cancels the tool call `c2`, which does not advertise it",
        ],
    ),
    // `claude-agent-acp` 0.101.0 with a scripted model: a held prompt, cancellations, resumes, closes, a replay. The
    // client cancels a tool call that nobody has. The last `idle` of a close has no list of background work.
    (
        include_str!("claude.jsonl"),
        &[
            "cancel-offered must the client, line 58: cancels the tool call `none`, which does not advertise it",
            "background-always must the agent, line 70: a `state_update` has no `background`, which earlier ones have",
        ],
    ),
    // The same agent: a permission that it withdraws, and a command in the background that the client cancels.
    (include_str!("claude-background.jsonl"), &[]),
];

#[test]
fn what_is_found_in_conversations_of_others_is_theirs() {
    for (tape, expected) in FOREIGN {
        let mut findings = judge(&Tape::from_jsonl(tape).expect("a tape"));
        // Version 2 is a draft, and so is more than its stable schema.
        findings.retain(|finding| finding.rule.id != "drafts");
        let findings: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(findings, *expected);
    }
}

#[test]
fn departures_are_of_a_version() {
    const MODELS: Member = Member::new("models").version(2);
    const OLD: Member = Member::new("models").version(1);
    let text = OPEN.replace(r#"{"sessionId": "s"}"#, r#"{"sessionId": "s", "models": []}"#);
    let tape = super::super::tape(&format!("{HELLO}{text}> 8 session/set_model {{}}\n< 8 = {{}}"));
    let ids = |departures: &Departures| {
        judge_with(&tape, departures).iter().map(|finding| finding.rule.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(&Departures::new().method("session/set_model")), ["own-fields"]);
    assert_eq!(ids(&Departures::new().member(OLD).method("session/set_model")), ["own-fields"]);
    assert_eq!(ids(&Departures::new().member(MODELS).method("session/set_model")), [""; 0]);
    // Prompts open sessions on demand.
    let tape = super::super::tape(&format!("{HELLO}{TURN}"));
    assert_eq!(judge_with(&tape, &Departures::new().on_demand()), []);
    assert_ne!(judge(&tape), []);
}

/// A rule of one version is never found in the other, whatever the messages are.
#[test]
fn each_version_has_its_own_rules_only() {
    let first =
        tapes::BROKEN.iter().map(|(_, before, tape)| (before, *tape)).map(|(before, tape)| (before.concat(), tape));
    let second = areas().map(|(_, before, tape)| (before.concat(), *tape));
    let all: Vec<_> = first.chain(second).chain([(String::new(), GOOD), (String::new(), tapes::GOOD)]).collect();
    let hellos = [tapes::HELLO, tapes::BARE, HELLO, BARE];
    for (before, tape) in &all {
        let body = hellos.iter().fold(format!("{before}\n{tape}"), |text, hello| text.replace(hello, ""));
        for (hello, version) in [(tapes::HELLO, 1), (HELLO, 2)] {
            for finding in found(&format!("{hello}{body}")) {
                let known = finding.rule.place_in(finding.version);
                assert!(finding.version == version && known.is_some(), "{finding}\n{body}");
                assert_eq!(Some(finding.place()), known);
            }
        }
    }
}

/// Each mark of an agent's capabilities gates something: without it, the judge finds the call.
#[test]
fn each_capability_of_the_schema_gates_a_call() {
    let schema: Value = serde_json::from_str(include_str!("../../v2.unstable.json")).expect("JSON");
    let mut marks = Vec::new();
    leaves(&schema, "AgentCapabilities", "", &mut marks);
    assert!(marks.len() > 12, "{marks:?}");
    let mut of_client = Vec::new();
    leaves(&schema, "ClientCapabilities", "", &mut of_client);
    // The first one gates the ways to log in, the others the modes of `elicitation/create`.
    assert_eq!(of_client, ["/auth/terminal", "/elicitation/form", "/elicitation/url"]);
    let call = |place: &str| {
        let (method, params) = match place {
            "/session/prompt/image" => ("session/prompt", json!({ "prompt": [{ "type": "image" }] })),
            "/session/prompt/audio" => ("session/prompt", json!({ "prompt": [{ "type": "audio" }] })),
            "/session/prompt/embeddedContext" => ("session/prompt", json!({ "prompt": [{ "type": "resource" }] })),
            "/session/mcp/stdio" => ("session/new", json!({ "mcpServers": [{ "type": "stdio" }] })),
            "/session/mcp/http" => ("session/new", json!({ "mcpServers": [{ "type": "http" }] })),
            "/session/mcp/acp" => ("session/new", json!({ "mcpServers": [{ "type": "acp" }] })),
            "/session/additionalDirectories" => ("session/new", json!({ "additionalDirectories": ["/p"] })),
            "/session/delete" => ("session/delete", json!({})),
            "/session/fork" => ("session/fork", json!({})),
            "/session/archive" => ("session/archive", json!({})),
            "/session/status" => ("session/status", json!({})),
            "/session/title" => ("session/set_title", json!({})),
            "/auth/status" => ("auth/status", json!({})),
            "/providers" => ("providers/list", json!({})),
            // It gates no call: without it, a prompt beside work is held.
            "/session/steering" => return None,
            // A field of drafts, which the rule `drafts` reports.
            _ if place.starts_with("/session/systemPrompt/") => return None,
            other => panic!("`{other}` gates something new: give it a line in `gates.rs`, and a call here"),
        };
        Some(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string())
    };
    for place in &marks {
        let Some(call) = call(place) else { continue };
        let is_found = |without: Option<&str>| {
            let mut capabilities = json!({});
            for mark in marks.iter().filter(|mark| Some(&***mark) != without) {
                let place = mark.split('/').skip(1).fold(&mut capabilities, |at, name| &mut at[name]);
                *place = json!({});
            }
            let info = json!({ "name": "x", "version": "0" });
            let result = json!({ "protocolVersion": 2, "info": info, "capabilities": capabilities });
            let mut tape = Tape::new();
            let params = json!({ "protocolVersion": 2, "info": info });
            tape.say(
                Party::Client,
                json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string(),
            );
            tape.say(Party::Agent, json!({ "jsonrpc": "2.0", "id": 1, "result": result }).to_string());
            tape.say(Party::Client, call.clone());
            judge(&tape).iter().any(|finding| finding.rule.id.starts_with("agent-"))
        };
        assert!(is_found(Some(place)) && !is_found(None), "{place}");
    }
}

/// The marks of a definition: objects without fields of their own.
fn leaves(schema: &Value, name: &str, at: &str, out: &mut Vec<String>) {
    let properties = schema[name]["properties"].as_object().into_iter().flatten();
    let inner: Vec<_> = properties.filter(|(field, _)| *field != "_meta").collect();
    if inner.is_empty() {
        out.push(at.to_owned());
    }
    for (field, schema_of) in inner {
        let text = schema_of.to_string();
        let target = text.split("#/$defs/").nth(1).and_then(|rest| rest.split('"').next()).expect("a definition");
        leaves(schema, target, &format!("{at}/{field}"), out);
    }
}
