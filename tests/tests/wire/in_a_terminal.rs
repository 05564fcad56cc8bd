//! An agent that a person starts by hand says what it waits for. A client never sees this line.

#![cfg(unix)]

use std::{
    io::Read as _,
    process::{Command, Stdio},
};

use acp_tests::terminal::Terminal;

const ECHO: &str = env!("CARGO_BIN_EXE_echo-under-test");

#[test]
fn an_agent_in_a_terminal_says_what_it_waits_for_and_how_to_talk_to_it() {
    let (mut terminal, stdin) = Terminal::open().unwrap();
    let mut agent = Command::new(ECHO);
    agent.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = agent.spawn().unwrap();
    // The agent alone has the other end of the terminal from here on.
    drop(agent);
    terminal.type_text("\x04").unwrap();
    let (mut told, mut said) = (String::new(), String::new());
    process.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    process.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(process.wait().unwrap().success());
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("Agent Client Protocol") && told.contains(&format!("`acp run -- {ECHO}`")), "{told}");
    assert_eq!(said, "", "standard output has messages alone");
}

#[test]
fn an_agent_behind_a_pipe_says_nothing() {
    let agent = Command::new(ECHO).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let ended = agent.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty() && ended.stdout.is_empty(), "{ended:?}");
}
