//! `acp record`, `replay`, `diff` and `redact`: recordings of real agents, and what becomes of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use acp_judge::{Party, Tape};
use serde_json::{Value, json};

use crate::{
    acp::{CODER, CONFORMANCE, ECHO, MISBEHAVING, Ran, acp, acp_with, command, ended, read_until},
    check::python,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_driven-acp");

/// Records what `acp exec` and an agent say.
fn recorded(file: &Path, prompt: &str, more: &[&str], agent: &[&str]) -> Ran {
    let mut arguments = vec!["exec", prompt];
    arguments.extend(more);
    arguments.extend(["--", PROGRAM, "record", "--output", file.to_str().unwrap(), "--"]);
    arguments.extend(agent);
    acp(arguments)
}

fn lines_of(file: &Path, party: Party) -> Vec<String> {
    let tape = Tape::from_jsonl(&fs::read_to_string(file).unwrap()).unwrap();
    tape.entries()
        .iter()
        .filter(|entry| entry.from == party)
        .filter_map(|entry| Some(entry.text()?.into_owned()))
        .collect()
}

fn replay(file: &Path, more: &[&str]) -> Ran {
    acp(["replay", file.to_str().unwrap()].iter().chain(more))
}

#[test]
fn each_byte_passes_and_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    // Long lines, empty ones, other line ends, and one that does not end.
    let text = format!("{{\"id\": 1}}\r\n\n{}\nw\u{f6}rter\nno end", "x".repeat(200_000));
    let ran = acp_with(&text, ["record", "-o", file.to_str().unwrap(), "--", "cat"]);
    assert_eq!((ran.exit, ran.stdout == text, &*ran.stderr), (0, true, ""));
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines_of(&file, Party::Client), lines);
    assert_eq!(lines_of(&file, Party::Agent), lines);
    let tape = Tape::from_jsonl(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(tape.entries().iter().filter(|entry| entry.line.is_none()).count(), 2, "both ends");
}

#[test]
fn a_conversation_is_recorded_beside_it_and_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    for (number, protocol) in ["1", "2"].into_iter().enumerate() {
        let ran = recorded(&file, "hello", &["--protocol", protocol], &[CONFORMANCE]);
        assert_eq!((ran.exit, &*ran.stdout), (0, "ok\n"), "{ran:?}");
        let file = if number == 0 { file.clone() } else { folder.path().join("trace.2.jsonl") };
        let ran = replay(&file, &["--fail-on", "note"]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        assert!(ran.stdout.ends_with("lines: 0 must, 0 should, 0 note\n"), "{ran:?}");
    }
}

#[test]
fn the_agents_exit_code_and_signals_go_through() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    let record = |agent: &[&str]| acp_with("", ["record", "-o", file.to_str().unwrap(), "--"].iter().chain(agent));
    assert_eq!(record(&[MISBEHAVING, "exit-1"]).exit, 1);
    record(&[MISBEHAVING, "die-first"]).failed(3, &["no model is configured"]);
    record(&["/nowhere/agent"]).failed(4, &["could not start the agent `/nowhere/agent`"]);
    acp(["record", "-o", "/nowhere/trace.jsonl", "--", ECHO]).failed(2, &["/nowhere/trace.jsonl", "cannot be made"]);
    acp(["record", "--", ECHO]).failed(2, &["--output"]);
}

#[cfg(unix)]
#[test]
fn a_request_to_end_reaches_the_agent() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    let agent = "trap 'echo told; exit 5' TERM; echo ready; while :; do read -r line < /dev/null; sleep 0.05; done";
    let arguments = ["record", "-o", file.to_str().unwrap(), "--", "sh", "-c", agent];
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    read_until(child.stdout.as_mut().unwrap(), "ready\n");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let stdin = child.stdin.take();
    let ran = ended(child);
    drop(stdin);
    assert_eq!((ran.exit, &*ran.stdout), (5, "told\n"), "{ran:?}");
    assert_eq!(lines_of(&file, Party::Agent), ["ready", "told"]);
}

/// A common mistake: to answer with the version that was asked for. No rule tells what follows, and nobody should take that for clean.
#[test]
fn what_is_not_judged_is_told_with_the_reason() {
    let Some(agent) = python("process.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.jsonl");
    let agent = ["python3", &*agent, "echoes-version"];
    let ran = recorded(&file, "hello", &["--format", "quiet"], &agent);
    assert_eq!((ran.exit, &*ran.stdout), (0, "Hello.\n"), "{ran:?}");
    let told =
        "acp: the agent agrees to version 2 of the protocol in the form of version 1, and is spoken to in version 1: ";
    assert!(ran.stderr.starts_with(told) && ran.stderr.lines().count() == 1, "{ran:?}");
    let ran = replay(&file, &[]);
    let why = "the agent agrees to version 2 in the form of version 1";
    let line =
        format!("{}:3: not judged from here on: {why}\n    help: let the client ask for version 1", file.display());
    assert!(ran.exit == 1 && ran.stdout.contains(&line), "{ran:?}");
    let report: Value = serde_json::from_str(&replay(&file, &["--format", "json"]).stdout).unwrap();
    assert_eq!(report["notJudged"], json!({"line": 3, "why": why}));
    assert_eq!((&report["findings"][0]["rule"], &report["findings"][1]), (&json!("version-answered"), &json!(null)));
    // With the advice, all is judged, and nothing is told.
    let ran = recorded(&file, "hello", &["--format", "quiet", "--protocol", "1"], &agent);
    assert_eq!((ran.exit, &*ran.stderr), (0, ""), "{ran:?}");
    let again =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).find(|path| *path != file).unwrap();
    let report: Value = serde_json::from_str(&replay(&again, &["--format", "json"]).stdout).unwrap();
    assert_eq!((&report["findings"], &report["notJudged"]), (&json!([]), &json!(null)), "{report}");
}

/// A recording in which both sides break rules.
fn broken(folder: &Path) -> PathBuf {
    let file = folder.join("broken.jsonl");
    let mut tape = Tape::new();
    tape.say(
        Party::Client,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}"#,
    );
    tape.say(Party::Agent, "Starting up..");
    tape.say(
        Party::Agent,
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}}"#,
    );
    tape.say(
        Party::Client,
        r#"{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s9","prompt":[]}}"#,
    );
    // An empty line is no entry.
    fs::write(&file, format!("\n{}", tape.to_jsonl())).unwrap();
    file
}

#[test]
fn a_finding_has_its_line_its_rule_and_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = broken(folder.path());
    let ran = replay(&file, &["--of", "agent"]);
    assert_eq!(ran.exit, 1, "{ran:?}");
    let head = format!("{}:3: must message-lines, the agent: ", file.display());
    assert!(ran.stdout.starts_with(&head), "{ran:?}");
    assert!(ran.stdout.contains("    see:  https://agentclientprotocol.com/protocol/v1/transports#stdio\n"), "{ran:?}");
    assert!(!ran.stdout.contains("the client:"), "{ran:?}");
    assert_eq!(replay(&file, &["--of", "agent", "--fail-on", "never"]).exit, 0);
    let ran = replay(&file, &["--format", "json"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.exit, &report["schema"], &report["lines"]), (1, &json!(1), &json!(4)));
    let findings = report["findings"].as_array().unwrap();
    let of = |by: &str| findings.iter().find(|finding| finding["by"] == by).unwrap();
    assert_eq!((&of("agent")["rule"], &of("agent")["line"]), (&json!("message-lines"), &json!(3)));
    assert_eq!((&of("client")["rule"], &of("client")["line"]), (&json!("client-info"), &json!(2)));
    // The client breaks no `must`.
    assert_eq!(replay(&file, &["--of", "client"]).exit, 0);
    assert_eq!(replay(&file, &["--of", "client", "--fail-on", "should"]).exit, 1);
    acp(["replay", "/nowhere/trace.jsonl"]).failed(2, &["/nowhere/trace.jsonl", "cannot be read"]);
    let other = folder.path().join("other");
    fs::write(&other, "{\"dir\": \">\"}\n").unwrap();
    replay(&other, &[]).failed(2, &["is no recording", "line 1", "`acp record` writes recordings"]);
    fs::write(&other, "").unwrap();
    replay(&other, &[]).failed(2, &["is empty"]);
}

#[test]
fn two_runs_of_one_conversation_are_the_same_and_others_differ() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, prompt) in [("a", "hello"), ("b", "hello"), ("c", "goodbye")] {
        recorded(&at(name), prompt, &["--protocol", "1"], &[ECHO]);
    }
    let diff = |first: &str, second: &str| acp(["diff".into(), at(first), at(second)]);
    assert_eq!((diff("a", "b").exit, &*diff("a", "b").stdout), (0, ""));
    let ran = diff("a", "c");
    assert_eq!(ran.exit, 1, "{ran:?}");
    let marked = |mark: char, word: &str| ran.stdout.lines().any(|line| line.starts_with(mark) && line.contains(word));
    assert!(marked('-', "hello") && marked('+', "goodbye"), "{ran:?}");
    diff("a", "d").failed(2, &["cannot be read"]);
}

#[test]
fn what_is_redacted_has_no_texts_and_no_secrets_and_the_same_findings() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let work = at("work");
    fs::create_dir(&work).unwrap();
    let store = at("store");
    for protocol in ["1", "2"] {
        let more = ["--permissions", "all", "--cwd", work.to_str().unwrap(), "--protocol", protocol];
        let prompt = "edit with sk-ant-0123456789abcdef";
        let trace = at(&format!("trace{protocol}"));
        let ran = recorded(&trace, prompt, &more, &[CODER, "--store", store.to_str().unwrap()]);
        assert_eq!(ran.exit, 0, "{ran:?}");
        let findings = |file: &Path| {
            let report: Value = serde_json::from_str(&replay(file, &["--format", "json"]).stdout).unwrap();
            let all = report["findings"].as_array().unwrap().clone();
            all.into_iter().map(|finding| (finding["rule"].clone(), finding["line"].clone())).collect::<Vec<_>>()
        };
        for (more, keeps_texts) in [(None, false), (Some("--keep-texts"), true)] {
            let redacted = at(&format!("redacted{protocol}{keeps_texts}"));
            let arguments = ["redact", trace.to_str().unwrap(), "-o", redacted.to_str().unwrap()];
            let ran = acp(arguments.into_iter().chain(more));
            assert_eq!((ran.exit, &*ran.stdout), (0, ""), "{ran:?}");
            let text = fs::read_to_string(&redacted).unwrap();
            assert!(!text.contains("0123456789abcdef"), "{text}");
            assert_eq!(text.contains("said: "), keeps_texts, "{text}");
            assert_eq!(text.contains("edited by coder"), keeps_texts, "{text}");
            assert!(text.contains("session/prompt") && text.contains("end_turn") && text.contains("Brave"), "{text}");
            assert_eq!(findings(&redacted), findings(&trace));
        }
    }
    let file = broken(folder.path());
    let ran = acp(["redact", file.to_str().unwrap()]);
    assert!(ran.stdout.contains("xxxxxxxx xx..") && !ran.stdout.contains("Starting"), "{ran:?}");
}

#[test]
fn variables_headers_and_keys_are_secret_even_where_texts_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace");
    let mut tape = Tape::new();
    let opening = json!({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/home/ada/project", "mcpServers": [
        {"name": "files", "command": "/usr/bin/mcp", "args": ["--all"], "env": [{"name": "TOKEN", "value": "hunter2"}]},
        {"type": "http", "name": "web", "url": "https://example.com", "headers": [{"name": "X-Key", "value": "swordfish"}]},
    ], "_meta": {"apiKey": "opensesame"}}});
    tape.say(Party::Client, opening.to_string());
    fs::write(&file, tape.to_jsonl()).unwrap();
    let ran = acp(["redact", "--keep-texts", file.to_str().unwrap()]);
    for secret in ["hunter2", "swordfish", "opensesame", "ada"] {
        assert!(!ran.stdout.contains(secret), "{secret} in {ran:?}");
    }
    for kept in ["TOKEN", "X-Key", "/usr/bin/mcp", "--all", "/home/user/project", "https://example.com"] {
        assert!(ran.stdout.contains(kept), "no {kept} in {ran:?}");
    }
}
