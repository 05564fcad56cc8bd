//! `acp check --client`: our own client, one that is broken on purpose, and one that starts no agent.

use std::path::Path;

use super::{broken, check, report, rules};

const PROGRAM: &str = env!("CARGO_BIN_EXE_driven-acp");

#[test]
fn our_own_client_breaks_nothing_and_meets_what_it_offers() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().join("kept");
    // The agent writes a file there.
    let cwd = folder.path().to_str().unwrap();
    let client = [PROGRAM, "exec", "hi", "--cwd", cwd, "--permissions", "all", "--protocol", "1", "--", "{agent}"];
    let ran = check(&["--client", "--format", "json", "--fail-on", "note", "--keep", keep.to_str().unwrap()], &client);
    let report = report(&ran);
    assert_eq!((ran.exit, broken(&report).len()), (0, 0), "{ran:?}");
    assert_eq!((&report["agent"], &report["ours"]), (&"acp".into(), &serde_json::json!([])));
    let judged = rules(&report, |rule| rule["occasions"].as_u64() > Some(0));
    for rule in ["permission-outcome", "client-info", "initialize-first", "answer-once", "schema", "absolute-paths"] {
        assert!(judged.contains(rule), "{rule}: {judged:?}");
    }
    assert_eq!(std::fs::read_dir(keep).unwrap().count(), 1);
}

#[test]
fn a_client_that_is_broken_on_purpose_is_told_what_is_wrong() {
    if super::python("client.py").is_none() {
        return;
    }
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/client.py");
    let ran = check(&["--client", "--format", "json"], &["python3", client.to_str().unwrap(), "{agent}"]);
    let report = report(&ran);
    assert_eq!((ran.exit, &report["ours"]), (1, &serde_json::json!([])), "{ran:?}");
    let broken = broken(&report);
    for rule in ["permission-outcome", "absolute-paths", "client-info", "option-offered", "agent-takes-content"] {
        assert!(broken.contains(rule), "{rule}: {broken:?}");
    }
}

#[test]
fn a_client_must_start_the_agent() {
    check(&["--client"], &["true"]).failed(2, &["has no {agent}"]);
    check(&["--client"], &["true", "{agent}"]).failed(4, &["did not start the agent"]);
    // Its last lines on stderr say why.
    check(&["--client"], &["sh", "-c", "echo no such id >&2; exit 3", "{agent}"])
        .failed(4, &["did not start the agent", "exit status: 3", "its last lines on stderr:\nno such id"]);
    check(&["--client"], &["/no/such/client", "{agent}"]).failed(4, &["could not start the client"]);
}

/// It begins the conversation, and fails.
#[cfg(unix)]
#[test]
fn a_client_that_ends_early_is_shown_with_its_last_lines() {
    let hello =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}"#;
    let script = format!("echo '{hello}' | \"$1\"; echo it hurts >&2; exit 3");
    let ran = check(&["--client"], &["sh", "-c", &script, "sh", "{agent}"]);
    let told = "not played to its end: conversation, version 1: the client failed (exit status: 3)\n\
                its last lines on stderr:\nit hurts\n";
    assert!(ran.stdout.contains(told) && ran.stdout.contains("`acp replay --of client`"), "{ran:?}");
    assert_eq!(ran.stdout.matches("not played to its end").count(), 1, "{ran:?}");
}
