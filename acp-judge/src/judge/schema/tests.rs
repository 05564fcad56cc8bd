//! Values that the schemas have, and values that they have not.

use serde_json::{Value as Json, json};

use super::*;

fn params(version: u16, method: &str, params: &Json) -> Deviations {
    stable(version).params(method, &params.clone().into())
}

fn result(schema: &Schema, method: &str, result: &Json) -> Deviations {
    schema.result(method, &result.clone().into())
}

fn update(update: Json) -> Deviations {
    params(1, "session/update", &json!({ "sessionId": "s", "update": update }))
}

#[test]
fn what_the_schema_has_is_not_wrong() {
    let text = json!({ "type": "text", "text": "x", "_meta": { "any": 1 } });
    assert_eq!(update(json!({ "sessionUpdate": "agent_message_chunk", "content": text })), Deviations::default());
    let raw = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "rawInput": { "any": 1 } });
    assert_eq!(update(raw), Deviations::default());
    let option = json!({ "id": "o", "name": "O", "type": "select", "currentValue": "a", "options": [
        { "group": "g", "name": "G", "options": [{ "value": "a", "name": "A" }] }] });
    let answer = json!({ "configOptions": [option] });
    assert_eq!(result(stable(1), "session/set_config_option", &answer), Deviations::default());
    assert_eq!(result(stable(1), "session/close", &Json::Null), Deviations::default());
    let agent = json!({ "protocolVersion": 1, "authMethods": [
        { "id": "a", "name": "A" }, { "type": "terminal", "id": "t", "name": "T", "args": ["x"], "env": { "K": "v" } }] });
    assert_eq!(result(stable(1), "initialize", &agent), Deviations::default());
}

#[test]
fn what_it_has_not_is_told_by_its_place() {
    let Deviations { wrong, unknown, .. } = update(json!({ "sessionUpdate": "plan", "entries": [
        { "content": "c", "priority": "urgent", "status": "pending", "done": false }] }));
    assert_eq!(unknown, ["/update/entries/0/done"]);
    assert_eq!(wrong[0].0, "/update/entries/0/priority");
    let Deviations { wrong, .. } = update(json!({ "sessionUpdate": "notice", "severity": "info", "title": "" }));
    assert_eq!(wrong, [("/update/title".to_owned(), "it is empty".to_owned())]);
    let Deviations { wrong, .. } = update(json!({ "sessionUpdate": "no_such" }));
    let text = r#""no_such" is none of "user_message_chunk", "agent_message_chunk", "#;
    assert!(wrong[0].0 == "/update/sessionUpdate" && wrong[0].1.starts_with(text), "{wrong:?}");
    let Deviations { wrong, .. } = result(stable(1), "session/prompt", &json!({}));
    assert_eq!(wrong, [(String::new(), "`stopReason` is missing".to_owned())]);
    let Deviations { wrong, .. } = params(1, "initialize", &json!({ "protocolVersion": 65536 }));
    assert!(wrong[0].1.contains("out of range"), "{wrong:?}");
}

/// A wrong value of an enumeration is named, with all that could stand there, also where the value may be missing or `null`.
#[test]
fn a_wrong_value_is_named_with_those_that_are_allowed() {
    let status = |status: Json| {
        update(json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status })).wrong
    };
    let allowed = r#"none of "pending", "in_progress", "completed", "failed""#;
    let wrong = |text: &str| [("/update/status".to_owned(), format!("{text} is {allowed}"))];
    assert_eq!(status(json!("done")), wrong(r#""done""#));
    assert_eq!(status(json!("x".repeat(100))), wrong(&format!("\"{}\"..", "x".repeat(40))));
    assert_eq!(status(Json::Null), []);
    let block = |block: Json| update(json!({ "sessionUpdate": "agent_message_chunk", "content": block })).wrong;
    let [(place, wrong)] = &block(json!({ "type": "markdown", "text": "x" }))[..] else { panic!("one mistake") };
    assert!(
        place == "/update/content/type" && wrong.starts_with(r#""markdown" is none of "text", "#),
        "{place}: {wrong}"
    );
    assert_eq!(block(json!("x")).len(), 1);
}

#[test]
fn drafts_are_in_the_other_schema() {
    let answer = json!({ "stopReason": "end_turn",
        "usage": { "totalTokens": 1, "inputTokens": 1, "outputTokens": 0 } });
    assert_eq!(result(stable(1), "session/prompt", &answer).unknown, ["/usage"]);
    assert_eq!(result(draft(1), "session/prompt", &answer), Deviations::default());
    assert!(!stable(1).has("session/fork") && draft(1).method("session/fork").unwrap().is_for("agent"));
    let cancel_request = stable(1).method("$/cancel_request").unwrap();
    assert!(cancel_request.is_for("agent") && cancel_request.is_for("client"));
    let cancel = stable(1).method("session/cancel").unwrap();
    assert!(cancel.is_kind(false) && !cancel.is_kind(true));
}

#[test]
fn values_that_version_2_leaves_open_are_for_vendors() {
    let update = |update: Json| params(2, "session/update", &json!({ "sessionId": "s", "update": update }));
    let reserved = |value| update(value).reserved;
    let call = |status: &str| json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": status });
    assert_eq!(update(call("completed")), Deviations::default());
    assert_eq!(update(call("_stuck")), Deviations::default());
    assert_eq!(reserved(call("stuck")), [("/update/status".to_owned(), "stuck".to_owned())]);
    let state = |stop: Json| json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": stop });
    assert_eq!(update(state(Json::Null)), Deviations::default());
    assert_eq!(update(state(json!("_bored"))), Deviations::default());
    assert_eq!(reserved(state(json!("bored"))), [("/update/stopReason".to_owned(), "bored".to_owned())]);
    // Version 1 had this kind of update.
    assert_eq!(
        reserved(json!({ "sessionUpdate": "tool_call" })),
        [("/update/sessionUpdate".to_owned(), "tool_call".to_owned())]
    );
    assert_eq!(update(json!({ "sessionUpdate": "_vendor", "any": 1 })), Deviations::default());
}

#[test]
fn lists_may_not_be_empty_and_bytes_are_base64_where_version_2_says_so() {
    let prompt = params(2, "session/prompt", &json!({ "sessionId": "s", "prompt": [] }));
    assert_eq!(prompt.wrong, [("/prompt".to_owned(), "it is empty".to_owned())]);
    let output = |data: &str| {
        let update = json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": data });
        params(2, "session/update", &json!({ "sessionId": "s", "update": update })).wrong
    };
    assert_eq!(output("aGk="), []);
    assert_eq!(output(""), []);
    for wrong in ["hi", "aGk", "a===", "aG k", "aGk=aGk="] {
        assert_eq!(output(wrong), [("/update/data".to_owned(), "it is not base64".to_owned())], "{wrong}");
    }
}
