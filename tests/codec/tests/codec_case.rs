//! The program `codec-case`, as a script in another language uses it: one case in a line, one answer in a line.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// The answers to these lines.
fn answers(lines: &str) -> Vec<Value> {
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_codec-case")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn answer(case: &Value) -> Value {
    let [answer] = answers(&format!("{case}\n")).try_into().unwrap();
    answer
}

fn made(json: &Value) -> Value {
    json!({ "ok": true, "json": json })
}

#[test]
fn a_value_comes_back_as_it_is_written() {
    let json = json!({ "cwd": "/work", "mcpServers": [], "_meta": null });
    let case = json!({ "type": "NewSessionRequest", "version": "v1", "json": json });
    assert_eq!(answer(&case), made(&json!({ "cwd": "/work", "mcpServers": [] })));
    let case = json!({ "type": "ToolKind", "version": "v2", "json": "juggle" });
    assert_eq!(answer(&case), made(&json!("juggle")));
}

#[test]
fn what_is_wrong_is_said() {
    let refused = |case: Value, words: &str| {
        let answer = answer(&case);
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(answer["ok"] == false && error.contains(words), "{case}: {answer}");
    };
    refused(json!({ "type": "NewSessionRequest", "version": "v1", "json": {} }), "missing field `cwd`");
    refused(json!({ "type": "NewSession", "version": "v1", "json": {} }), "no definition `NewSession`");
    refused(json!({ "type": "NewSessionRequest", "version": "v3", "json": {} }), "no version `v3`");
    refused(json!({ "type": "NewSessionRequest" }), "this is no case");
}

#[test]
fn every_line_gets_an_answer_in_its_place() {
    let good = json!({ "type": "SessionId", "version": "1", "json": "s1" });
    let answers = answers(&format!("{good}\n\n[not json\n{good}"));
    let ok: Vec<&Value> = answers.iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(ok, [true, false, true]);
}

/// A case without `unstable` goes to the stable schema, and this schema may refuse it. But if the stable schema would
/// lose members of the drafts, the case goes to the schema with drafts.
#[test]
fn drafts_are_taken_where_they_are_meant() {
    let removed = json!({ "sessionUpdate": "plan_removed", "planId": "p1" });
    let case =
        |unstable: Value| json!({ "type": "SessionUpdate", "version": "v1", "unstable": unstable, "json": removed });
    assert_eq!(answer(&case(json!(true))), made(&removed));
    assert_eq!(answer(&case(json!(false)))["ok"], false);
    assert_eq!(answer(&case(Value::Null))["ok"], false);

    let archived = json!({ "sessionId": "s1", "cwd": "/work", "archived": true });
    let case =
        |unstable: Value| json!({ "type": "SessionInfo", "version": "v1", "unstable": unstable, "json": archived });
    assert_eq!(answer(&case(json!(false))), made(&json!({ "sessionId": "s1", "cwd": "/work" })));
    assert_eq!(answer(&case(Value::Null)), made(&archived));
}
