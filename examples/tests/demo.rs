//! The demo prints every step. Its exit code says whether the steps had the expected results.

use std::process::{Command, Output};

fn demo(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_demo")).args(args).output().expect("the demo starts")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the transcript is UTF-8")
}

#[test]
fn it_shows_options_a_stream_a_permission_and_a_cancelled_turn() {
    let output = demo(&[]);
    let transcript = said(&output);
    assert!(output.status.success(), "{transcript}\n{}", String::from_utf8_lossy(&output.stderr));
    let mut rest = transcript.as_str();
    for expected in [
        "coder",
        "model   fast   fast, smart",
        "model = smart",
        "* model   smart",
        "brave   false",
        "refused",
        "You said: Tell me that the whole path works.",
        "end_turn",
        "tool call: Edit",
        "+ - edited by coder",
        "asks for permission: Allow or Reject?",
        "granted: Allow",
        "NOTES.md for the agent",
        "tool call: completed",
        "session/cancel",
        "the turn ended: cancelled",
        "code 0",
    ] {
        let at = rest.find(expected).unwrap_or_else(|| panic!("`{expected}` does not follow: {transcript}"));
        rest = &rest[at + expected.len()..];
    }
    assert!(!transcript.contains('\x1b'), "colours are for terminals");
}

#[test]
fn an_agent_that_does_otherwise_is_a_failure() {
    let output = demo(&[env!("CARGO_BIN_EXE_echo")]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("times"), "it got as far as the agent's options");
}

#[test]
fn an_agent_that_is_none_is_a_failure() {
    assert_eq!(demo(&["/dev/null"]).status.code(), Some(1));
    assert_eq!(demo(&["--no-such-flag"]).status.code(), Some(2));
}
