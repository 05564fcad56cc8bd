//! Each rule fires on a small tape that breaks only this rule. No rule fires on a good conversation.
//!
//! A tape has short lines: `>` is a message of the client, `<` a message of the agent. `> 1 session/new {..}` is a
//! request with the id 1, `< 1 = {..}` is its answer, and `< 1 ! -32601` is an error. `< session/update {..}` is a
//! notification, and `< "..."` is a line without changes. `> end` is the end, and `+ 3000` adds milliseconds. `UPDATE
//! {..}` stands for an update of the session `s`. Version 2 has more of these: `STATE idle end_turn` (or `STATE running - []`,
//! with background work), `USER id`, `SAY id` and `CALL id status`.

mod answers;
mod mutations;
mod tapes;
mod v2;

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use self::tapes::{BARE, BROKEN, DONE, GOOD, HELLO, LOAD, OPEN, RICH, SAID, TURN};
use super::*;

fn tape(text: &str) -> Tape {
    let mut tape = Tape::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (mark, rest) = line.split_once(' ').expect("a mark and a line");
        let from = match mark {
            ">" => Party::Client,
            "<" => Party::Agent,
            "+" => {
                tape.pass(Duration::from_millis(rest.parse().expect("milliseconds")));
                continue;
            }
            other => panic!("no mark: {other}"),
        };
        match rest {
            "end" => tape.hang_up(from),
            rest => match serde_json::from_str::<String>(rest) {
                Ok(line) => tape.say(from, line),
                Err(_) => tape.say(from, message(rest).to_string()),
            },
        }
    }
    tape
}

fn message(text: &str) -> Value {
    let read = |text: &str| serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut parts = text.splitn(3, ' ');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let third = parts.next().unwrap_or("{}");
    let is_id = first.starts_with(|sign: char| sign.is_ascii_digit() || sign == '"') || first == "null";
    match (is_id, second) {
        (true, "=") => json!({ "jsonrpc": "2.0", "id": read(first), "result": read(third) }),
        (true, "!") => {
            let (code, data) = third.split_once(' ').unwrap_or((third, "null"));
            let mut error = json!({ "code": read(code), "message": "no", "data": read(data) });
            if error["data"].is_null() {
                error.as_object_mut().expect("an object").remove("data");
            }
            json!({ "jsonrpc": "2.0", "id": read(first), "error": error })
        }
        (true, method) => json!({ "jsonrpc": "2.0", "id": read(first), "method": method, "params": read(third) }),
        (false, _) => {
            let rest = text.split_once(' ').map_or("{}", |(_, rest)| rest);
            let (method, params) = match v2::update(first, rest).or((first == "UPDATE").then(|| read(rest))) {
                Some(update) => ("session/update", json!({ "sessionId": "s", "update": update })),
                None => (first, read(rest)),
            };
            json!({ "jsonrpc": "2.0", "method": method, "params": params })
        }
    }
}

fn found(text: &str) -> Vec<Finding> {
    judge(&tape(text))
}

#[test]
fn each_rule_fires_on_a_tape_that_breaks_it_and_no_other_does() {
    let (mut fired, mut alone, mut wrong) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (rules, before, tape) in v2::broken(BROKEN) {
        let findings = found(&format!("{}\n{tape}", before.concat()));
        let ids: BTreeSet<_> = findings.iter().map(|finding| finding.rule.id).collect();
        if ids != rules.split(' ').collect() {
            let findings: Vec<_> = findings.iter().map(ToString::to_string).collect();
            wrong.push(format!("{rules}: {tape}\n{findings:#?}"));
        }
        assert!(findings.iter().all(|finding| !finding.text.is_empty()));
        fired.extend(findings.iter().map(|finding| (finding.rule.id, finding.version)));
        if ids.len() == 1 {
            alone.extend(findings.iter().map(|finding| (finding.rule.id, finding.version)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = RULES.iter().flat_map(|rule| rule.places.iter().map(|(version, _)| (rule.id, *version)));
    let never: Vec<_> = all.filter(|rule| !fired.contains(rule)).collect();
    assert!(never.is_empty(), "no tape breaks {never:?}");
    // All other rules have a tape that breaks nothing else. What breaks these breaks another one, too, for this reason.
    let with_another: BTreeSet<_> = [
        ("list-cursor-refused", "it needs a client that makes up a cursor"),
        ("method-unknown", "it needs a peer that calls what nobody has"),
        ("mode-refused", "it needs a client that sets what is not offered"),
        ("option-invalid", "the same"),
        ("option-refused", "the same"),
        ("params-code", "it needs a peer whose params are wrong"),
        ("permission-in-turn", "outside of a turn, a tool call was not reported, has ended, or was left open"),
        ("unreadable-code", "it needs a peer whose line is no message"),
    ]
    .map(|(id, _)| id)
    .into();
    let never: BTreeSet<_> = fired.difference(&alone).map(|(id, _)| *id).collect();
    assert_eq!(never, with_another, "the rules that no tape breaks alone");
}

#[test]
fn a_good_conversation_is_silent() {
    let mut findings = found(&format!("{HELLO}{GOOD}"));
    // An agent may ask permission for a call that it did not report. The judge has a note about this, and the test
    // ignores it.
    findings.retain(|finding| finding.rule.level != Level::Note);
    assert_eq!(findings, []);
    for before in [&[HELLO, OPEN, TURN, DONE][..], &[HELLO, RICH], &[BARE, OPEN]] {
        assert_eq!(found(&before.concat()), []);
    }
}

#[test]
fn a_call_may_begin_after_its_permission_was_asked() {
    let turn = r#"> 3 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "go"}]}"#;
    let ask = r#"< 4 session/request_permission {"sessionId": "s", "toolCall": {"toolCallId": "c", "title": "t", "status": "pending"}, "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
        > 4 = {"outcome": {"outcome": "selected", "optionId": "y"}}"#;
    let call = r#"< UPDATE {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t"}"#;
    let (begun, end) = (format!("{call}\n{}", DONE.trim_start()), r#"< 3 = {"stopReason": "end_turn"}"#);
    for (later, end) in [("begun", begun.as_str()), ("never begun", end)] {
        let findings = found(&format!("{HELLO}{OPEN}{turn}\n{ask}\n{end}"));
        let ids: Vec<_> = findings.iter().map(|finding| (finding.rule.level, finding.rule.id)).collect();
        assert_eq!(ids, [(Level::Note, "permission-tool-call")], "{later}");
    }
}

#[test]
fn steering_begins_a_turn_without_a_prompt() {
    let steer = r#"> "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"_session/steering\",\"params\":{\"sessionId\":\"s\",\"prompt\":[]}}""#;
    let said = r#"< UPDATE {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}"#;
    let begun = format!("{steer}\n{said}\n< 8 = {{\"outcome\": \"startedNewTurn\"}}\n{said}\n");
    assert_eq!(found(&format!("{HELLO}{OPEN}{begun}")), []);
    // It has ended when the agent answers a later prompt, and what was not begun has no updates.
    let none = format!("{steer}\n< 8 = {{\"outcome\": \"promptRequired\"}}\n");
    for before in [format!("{begun}{TURN}{DONE}"), none] {
        let ids: Vec<_> = found(&format!("{HELLO}{OPEN}{before}{said}")).iter().map(|found| found.rule.id).collect();
        assert_eq!(ids, ["updates-in-turn"]);
    }
}

#[test]
fn a_session_that_is_open_may_be_loaded_again_and_is_as_before_when_that_fails() {
    let call = r#"< UPDATE {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "status": "completed"}"#;
    let said = r#"< UPDATE {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "x"}}"#;
    let load = r#"> 8 session/load {"sessionId": "s", "cwd": "/p", "mcpServers": []}"#;
    let replay = format!("{HELLO}{OPEN}{TURN}{DONE}{load}\n{said}\n{call}\n");
    for answer in ["< 8 = {}", "< 8 ! -32603"] {
        assert_eq!(found(&format!("{replay}{answer}")), []);
        // The replay ends with the answer, and the session is still open.
        let late: Vec<_> = found(&format!("{replay}{answer}\n{said}\n{call}"));
        let late: Vec<_> = late.iter().map(|finding| finding.rule.id).collect();
        assert_eq!(late, ["updates-in-turn", "updates-in-turn", "tool-call-id"], "{answer}");
    }
    // Two loads at once: the first answer does not end the replay of the second.
    let again = load.replace("> 8", "> 9");
    assert_eq!(found(&format!("{HELLO}{OPEN}{load}\n{again}\n< 8 ! -32603\n{said}\n< 9 = {{}}")), []);
}

/// Only a turn in which both sides said something proves that there is something to replay.
#[test]
fn a_load_without_a_replay_is_told_where_something_is_to_be_replayed() {
    let turn = |text: &str, said: &str, stop: &str| {
        format!(
            "> 3 session/prompt {{\"sessionId\": \"s\", \"prompt\": [{{\"type\": \"text\", \"text\": \"{text}\"}}]}}\n{}\n< 3 = {{\"stopReason\": \"{stop}\"}}\n",
            said.trim()
        )
    };
    let loaded = |before: &str, after: &str| {
        let tape = tape(&format!("{HELLO}{OPEN}{before}{LOAD}{after}"));
        let review = review(&tape, &Departures::new());
        let found = review.findings.iter().any(|found| found.rule.id == "load-replays");
        (review.occasions(&rules::REPLAYED, Party::Agent), found)
    };
    let (none, plain) = ("< 8 = {}", turn("go", SAID, "end_turn"));
    assert_eq!(loaded(&plain, none), (1, true));
    assert_eq!(loaded(&plain, &format!("{SAID}{none}")), (1, false));
    // Nothing was said, or a command or a vendor's request may have cleared it.
    let command = turn("/clear", SAID, "end_turn");
    let compaction = r#"< UPDATE {"sessionUpdate": "compaction_update", "compactionId": "z", "status": "completed"}"#;
    let vendor = "> \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":9,\\\"method\\\":\\\"_v/clear\\\",\\\"params\\\":{\\\"sessionId\\\":\\\"s\\\"}}\"\n";
    for before in [
        String::new(),
        turn("go", "", "end_turn"),
        turn("go", SAID, "refusal"),
        command.clone(),
        format!("{plain}{command}"),
        format!("{plain}{compaction}\n"),
        format!("{plain}{vendor}"),
        plain.replace("< 3 =", "> 4 session/list {}\n# < 3 =").split('#').next().unwrap().to_owned(),
    ] {
        assert_eq!(loaded(&before, none), (0, false), "{before}");
    }
    assert_eq!(loaded(&format!("{command}{plain}"), none), (1, true));
    // A load that fails replays nothing, and of two at once, one may.
    assert_eq!(loaded(&plain, "< 8 ! -32603"), (0, false));
    let again = LOAD.replace("> 8", "> 9");
    assert_eq!(loaded(&plain, &format!("{again}{SAID}{none}\n< 9 = {{}}")), (0, false));
}

#[test]
fn a_call_that_a_turn_leaves_open_is_not_one_of_the_next_turn() {
    let next = r#"> 4 session/prompt {"sessionId": "s", "prompt": [{"type": "text", "text": "on"}]}"#;
    let end = r#"< 4 = {"stopReason": "end_turn"}"#;
    let cancelled = "> session/cancel {\"sessionId\": \"s\"}\n< 3 = {\"stopReason\": \"cancelled\"}";
    let turns = format!("{HELLO}{OPEN}{TURN}{cancelled}\n{next}\n");
    assert_eq!(found(&format!("{turns}{end}")), []);
    // What it reports again is.
    let again = r#"< UPDATE {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress"}"#;
    let ids = |text: &str| found(text).iter().map(|found| (found.rule.id, found.times)).collect::<Vec<_>>();
    assert_eq!(ids(&format!("{turns}{again}\n{end}")), [("tool-call-open", 1)]);
    // A turn that was not cancelled is told of its calls once, also when others follow.
    let ended = r#"< 3 = {"stopReason": "end_turn"}"#;
    assert_eq!(ids(&format!("{HELLO}{OPEN}{TURN}{ended}\n{next}\n{end}")), [("tool-call-open", 1)]);
}

#[test]
fn an_agent_that_may_still_be_starting_has_more_time_for_its_end() {
    let hello = HELLO.lines().nth(1).expect("the request");
    assert_eq!(found("> end\n+ 3000\n< end"), []);
    let ids: Vec<_> = found(&format!("{hello}\n> end\n+ 3000\n< end")).iter().map(|found| found.rule.id).collect();
    assert!(!ids.contains(&"ends-with-input"), "{ids:?}");
}

#[test]
fn what_messages_do_not_prove_is_not_told() {
    // Here the turn may have ended before its cancellation arrived.
    let raced = "> session/cancel {\"sessionId\": \"s\"}\n< 3 = {\"stopReason\": \"end_turn\"}";
    let ended =
        "< UPDATE {\"sessionUpdate\": \"tool_call_update\", \"toolCallId\": \"c\", \"status\": \"completed\"}\n";
    let raced = format!("{HELLO}{OPEN}{TURN}{ended}{raced}");
    assert_eq!(found(&raced), []);
    // But it can be asked for.
    let review = review(&tape(&raced), &Departures::new());
    let told: Vec<_> = review.unproven.iter().map(|one| (one.rule.id, &*one.text, one.entry, one.times)).collect();
    assert_eq!(told, [("cancel-outcome", "a cancelled turn ends with \"end_turn\"", 8, 1)]);
    assert_eq!(review.occasions(&rules::CANCELLED, Party::Agent), 0);
    // The judge has no rules for this version of the protocol.
    let other = HELLO.replace(r#""protocolVersion": 1, "agentInfo""#, r#""protocolVersion": 0, "agentInfo""#);
    let other = format!("{other}< vendor/said {{}}");
    assert_eq!(found(&other), []);
    let unjudged = super::review(&tape(&other), &Departures::new()).unjudged.unwrap();
    assert_eq!((unjudged.entry, &*unjudged.why), (2, "the agent answers version 0, which has no rules here"));
    // The agent had no time to answer the requests that are open when the client hangs up.
    assert_eq!(found(&format!("{HELLO}{OPEN}{TURN}> 4 session/list {{}}\n> end")), []);
}

/// The protocol does not say that they are refused. But it is no silence of an agent to which nobody has sent any.
#[test]
fn wrong_params_that_are_taken_are_no_finding_and_can_be_asked_for() {
    let taken = tape(&format!("{HELLO}> 2 session/new {{\"cwd\": 7}}\n< 2 = {{\"sessionId\": \"s\"}}"));
    let review = review(&taken, &Departures::new());
    let told: Vec<_> = review.unproven.iter().map(|one| (one.rule.id, &*one.text, one.by, one.entry)).collect();
    let text = "wrong params of `session/new` were sent, and answered with a result";
    assert_eq!(told, [("params-code", text, Party::Agent, 3)]);
    assert!(review.findings.iter().all(|found| found.by == Party::Client), "{:?}", review.findings);
    assert_eq!(review.occasions(&rules::PARAMS, Party::Agent), 0);
}

#[test]
fn a_listed_session_may_fail_to_open_for_other_reasons() {
    let listed = r#"< 2 = {"sessions": [{"sessionId": "s", "cwd": "/p"}]}"#;
    let listed = format!("{HELLO}> 2 session/list {{}}\n{listed}\n");
    for method in ["session/load", "session/resume"] {
        let load = format!("> 4 {method} {{\"sessionId\": \"s\", \"cwd\": \"/p\", \"mcpServers\": []}}\n");
        // Another process has it open, or another version of the agent has kept it.
        for code in [-32600, -32603] {
            assert_eq!(found(&format!("{listed}{load}< 4 ! {code}")), [], "{method}");
        }
        let deleted = "> 3 session/delete {\"sessionId\": \"s\"}\n< 3 = {}\n";
        let gone = found(&format!("{listed}{deleted}{load}< 4 ! -32603"));
        assert_eq!(gone.iter().map(|finding| finding.rule.id).collect::<Vec<_>>(), ["session-unknown"]);
        // Without a list, nobody knows whether the session is there: the text does not say it.
        let text = format!("`{method}` for a session that is not open fails with -32603");
        assert_eq!(found(&format!("{HELLO}{load}< 4 ! -32603"))[0].text, text);
    }
}

/// Each wrong value is named, but not hundreds of them.
#[test]
fn wrong_values_of_one_place_are_told_up_to_a_bound() {
    let call = |status: &str| {
        format!(r#"< UPDATE {{"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "{status}"}}"#)
    };
    let calls: Vec<_> = (0..9).map(|number| call(&format!("s{number}"))).collect();
    let findings = found(&format!("{HELLO}{OPEN}{TURN}{}", calls.join("\n")));
    let told: Vec<_> = findings.iter().filter(|finding| finding.rule.id == "schema").collect();
    let allowed = r#"none of "pending", "in_progress", "completed", "failed""#;
    assert_eq!(told[0].text, format!("`session/update` is wrong at `/update/status`: \"s0\" is {allowed}"));
    assert_eq!(told[5].text, "`session/update` is wrong at `/update/status`: other values are wrong, too");
    assert_eq!((told.len(), told[5].times), (6, 4));
}

/// The answer to a set has all options. Where it leaves one out, only a set that changes nothing proves a mistake.
#[test]
fn an_option_may_go_with_another_value_and_not_without_a_change() {
    let set = |value: bool, before: &str, after: &str| {
        let set = format!(
            r#"> 3 session/set_config_option {{"sessionId": "s", "configId": "brave", "type": "boolean", "value": {value}}}"#
        );
        let option = format!(r#"{{"id": "brave", "name": "Brave", "type": "boolean", "currentValue": {value}}}"#);
        let tape = format!("{HELLO}{RICH}{before}{set}\n{after}< 3 = {{\"configOptions\": [{option}]}}");
        let findings = found(&tape);
        findings
            .iter()
            .filter(|found| found.rule.id.starts_with("option"))
            .map(|found| found.rule.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(set(false, "", ""), ["option-complete"]);
    assert_eq!(set(true, "", ""), ["option-list"]);
    // What is at work in the session may change the options.
    let turn = "> 9 session/prompt {\"sessionId\": \"s\", \"prompt\": []}\n";
    assert_eq!(set(false, turn, "< 9 = {\"stopReason\": \"end_turn\"}\n"), ["option-list"]);
}

#[test]
fn what_is_repeated_is_told_once() {
    let findings = found(&format!("{HELLO}< 7 = {{}}\n< 7 = {{}}"));
    assert_eq!((findings.len(), findings[0].times, findings[0].entry), (1, 2, 2));
    assert_eq!(
        findings[0].to_string(),
        "answer-known must the agent, line 3 and 1 more: answers 7, which nobody asked"
    );
}

#[test]
fn rules_have_a_name_each_and_a_place_in_the_protocol() {
    let ids: BTreeSet<_> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
    for rule in RULES {
        let Rule { id, sentence, place, places, .. } = rule;
        assert_eq!(places.first().map(|(_, place)| *place), Some(*place), "{id}");
        assert!(places.is_sorted_by(|(lower, _), (higher, _)| lower < higher), "{id}");
        for (version, place) in *places {
            let page = format!("https://agentclientprotocol.com/protocol/v{version}/");
            assert!(matches!(version, 1 | 2) && place.starts_with(&page), "{id}");
            assert_eq!(rule.place_in(*version), Some(*place));
        }
        assert_eq!(rule.place_in(0), None, "{id}");
        assert!(sentence.chars().count() > 15 && !sentence.ends_with('.'), "{id}: {sentence}");
        assert_eq!(super::rule(id), Some(*rule));
    }
}
