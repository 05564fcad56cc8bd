//! `acp view`: pages of recordings, which Chromium opens and a driver uses.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use acp_judge::{Party, Tape};
use acp_tests::packages::{self, BROWSER, process};
use serde_json::{Value, json};

use crate::acp::acp;

/// Much more time than all checks of one page need.
const LIMIT: Duration = Duration::from_secs(120);
/// Runs by hand: a folder with large recordings, each of which must open.
const LARGE: &str = "ACP_VIEW_LARGE";
const HOSTILE: &str = "</script></title></style><script>document.hacked = 1</script><img src=x onerror='document.hacked = 1'>\u{2028}\r\n<!--";

/// What one side says; `>` is the client.
fn tape(lines: &[(&str, Value)]) -> Tape {
    let mut tape = Tape::new();
    for (side, line) in lines {
        let from = if *side == ">" { Party::Client } else { Party::Agent };
        tape.pass(Duration::from_millis(250));
        match line {
            Value::String(text) => tape.say(from, text.as_str()),
            message => tape.say(from, message.to_string()),
        }
    }
    tape.hang_up(Party::Client);
    tape
}

fn call(id: u32, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn result(id: u32, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn update(update: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": HOSTILE, "update": update}})
}

/// An option, whose id version 2 calls otherwise.
fn options(id: &str, model: &str) -> Value {
    let values = json!([{"value": "small", "name": "Small"}, {"value": "large", "name": HOSTILE}]);
    json!([{id: "model", "name": "Model", "type": "select", "currentValue": model, "options": values}])
}

/// Turns, a tool call, an option that changes, output that is no message, a large file, and texts that try to be markup.
fn first() -> Tape {
    let asks = |id, text: &str| {
        let prompt = json!([{"type": "text", "text": text}]);
        (">", call(id, "session/prompt", json!({"sessionId": HOSTILE, "prompt": prompt})))
    };
    let says = |text: &str| {
        let content = json!({"type": "text", "text": text});
        ("<", update(json!({"sessionUpdate": "agent_message_chunk", "content": content})))
    };
    let file = format!("begin {} the end of the file", "<b>long</b> ".repeat(20_000));
    tape(&[
        (">", call(1, "initialize", json!({"protocolVersion": 1, "clientInfo": {"name": HOSTILE, "version": "1"}}))),
        ("<", json!(HOSTILE)),
        ("<", result(1, json!({"protocolVersion": 1, "agentInfo": {"name": "fair", "version": "2"}}))),
        (">", call(2, "session/new", json!({"cwd": "/work", "mcpServers": []}))),
        ("<", result(2, json!({"sessionId": HOSTILE, "configOptions": options("id", "small")}))),
        asks(3, HOSTILE),
        (
            "<",
            update(
                json!({"sessionUpdate": "tool_call", "toolCallId": "c1", "title": HOSTILE, "kind": "edit", "status": "pending"}),
            ),
        ),
        ("<", update(json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed"}))),
        ("<", update(json!({"sessionUpdate": "config_option_update", "configOptions": options("id", "large")}))),
        says("a needle: w\u{f6}rter & \"quotes\" <b>"),
        ("<", result(3, json!({"stopReason": "end_turn"}))),
        asks(4, "the second"),
        says(&file),
        // Nobody asked this.
        ("<", result(77, json!({}))),
        ("<", result(4, json!({"stopReason": "max_tokens"}))),
    ])
}

/// Work of version 2, which ends behind the answer of its prompt.
fn second() -> Tape {
    let state = |state: Value| ("<", update(state));
    let info = |name: &str| json!({"name": name, "version": "1"});
    let prompt = json!({"sessionId": HOSTILE, "prompt": [{"type": "text", "text": "work"}]});
    tape(&[
        (">", call(1, "initialize", json!({"protocolVersion": 2, "info": info("editor")}))),
        ("<", result(1, json!({"protocolVersion": 2, "info": info("worker"), "capabilities": {"session": {}}}))),
        (">", call(2, "session/new", json!({"cwd": "/work"}))),
        ("<", result(2, json!({"sessionId": HOSTILE, "configOptions": options("configId", "small")}))),
        (">", call(3, "session/prompt", prompt)),
        ("<", result(3, json!({"messageId": "m1"}))),
        state(json!({"sessionUpdate": "state_update", "state": "running"})),
        (
            "<",
            update(
                json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "Edit", "status": "in_progress"}),
            ),
        ),
        ("<", update(json!({"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "failed"}))),
        state(json!({"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"})),
    ])
}

fn kept(folder: &Path, name: &str, tape: &Tape) -> PathBuf {
    let file = folder.join(name);
    fs::write(&file, tape.to_jsonl()).unwrap();
    file
}

/// Runs a check of `drive.mjs` on a page, if there is a browser.
fn drive(check: &str, page: &Path, recording: &Path) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let Some(installed) = BROWSER.install(target).unwrap() else { return };
    // Node searches for packages from the folder of a module.
    let driver = installed.folder.join("drive-view.mjs");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/view/drive.mjs"), &driver).unwrap();
    let mut node = Command::new("node");
    node.arg(driver).args([check.as_ref(), page, recording]).env("CHROMIUM", packages::chromium().unwrap());
    let ended = process::run(node, LIMIT).unwrap();
    assert!(ended.failure.is_none(), "{check}: {:?}\n{}{}", ended.failure, ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("all checks passed"), "{}", ended.stdout);
}

#[test]
fn a_browser_shows_a_recording_with_its_findings_and_runs_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    for (check, tape) in [("first", first()), ("second", second())] {
        let recording = kept(folder.path(), &format!("{check}.jsonl"), &tape);
        let ran = acp(["view".as_ref(), recording.as_os_str()]);
        let page = recording.with_extension("html");
        assert_eq!((ran.exit, ran.stdout.trim()), (0, page.to_str().unwrap()), "{ran:?}");
        drive(check, &page, &recording);
    }
}

#[test]
fn the_page_is_one_file_that_loads_nothing_and_replaces_only_pages() {
    let folder = tempfile::tempdir().unwrap();
    let recording = kept(folder.path(), "trace.jsonl", &first());
    let text = acp(["view", recording.to_str().unwrap(), "-o", "-"]).stdout;
    assert!(text.contains("default-src 'none'; style-src 'sha256-"), "no policy");
    for hostile in ["</script></title>", "<img src=x"] {
        assert!(!text.contains(hostile), "{hostile}");
    }
    let page = folder.path().join("trace.html");
    fs::write(&page, "<p>mine").unwrap();
    let ran = acp(["view", recording.to_str().unwrap()]);
    ran.failed(2, &["trace.html", "no page of `acp view`", "--output"]);
    assert_eq!(fs::read_to_string(&page).unwrap(), "<p>mine");
    for _ in 0..2 {
        assert_eq!(acp(["view", recording.to_str().unwrap(), "-o", page.to_str().unwrap()]).exit, 0);
        assert_eq!(fs::read_to_string(&page).unwrap(), text);
        assert_eq!(acp(["view", recording.to_str().unwrap()]).exit, 0);
    }
    acp(["view", recording.to_str().unwrap(), "-o", "/nowhere/page.html"]).failed(2, &["/nowhere/page.html"]);
    acp(["view", "/nowhere/trace.jsonl"]).failed(2, &["cannot be read"]);
}

#[test]
fn large_recordings_open() {
    let Some(large) = std::env::var_os(LARGE) else { return };
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(large).unwrap() {
        let recording = entry.unwrap().path();
        if recording.extension().is_some_and(|end| end == "jsonl") {
            let page = folder.path().join("page.html");
            let ran = acp(["view".as_ref(), recording.as_os_str(), "-o".as_ref(), page.as_os_str()]);
            assert_eq!(ran.exit, 0, "{ran:?}");
            drive("large", &page, &recording);
        }
    }
}
