//! The line of the guide that is a first look at the agent.

use std::process::{Command, Stdio};

use acp_tests::documents::documents;
use serde_json::Value;

#[cfg(unix)]
#[test]
fn the_line_of_the_guide_is_answered() {
    let commands = documents().into_iter().flat_map(|document| document.commands());
    let line = commands.into_iter().find(|command| command.ends_with(" | cargo run -p llm")).unwrap();
    let data = tempfile::tempdir().unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line.replace("cargo run -p llm", "\"$0\"")).arg(env!("CARGO_BIN_EXE_llm"));
    shell.env("OPENAI_BASE_URL", "http://127.0.0.1:1/v1").env("XDG_DATA_HOME", data.path()).stdin(Stdio::null());
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["result"]["protocolVersion"], 1, "{answer}");
}
