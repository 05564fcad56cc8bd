//! An agent that misuses stdin and stdout in ways that happen by accident. `tests/wire/process.rs` starts it.

#![expect(clippy::print_stdout, reason = "that is the point")]

use std::{io::Read as _, process::Command};

use acp_runtime::prelude::*;
use tokio::sync::Notify;

static SHUTDOWN: Notify = Notify::const_new();

/// Misuses stdin or stdout in the way that the prompt names.
#[acp_agent]
#[derive(Clone)]
struct Noisy;

#[acp_agent]
impl Noisy {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("noise follows").await?;
        match request.text().as_str() {
            "print" => println!("left over from debugging"),
            "child" => shell("echo a child of the agent"),
            "panic" => panic!("with a text"),
            "read-stdin" => {
                let mut text = String::new();
                std::io::stdin().read_to_string(&mut text)?;
                assert_eq!(text, "", "stdin is empty");
            }
            "shut down" => SHUTDOWN.notify_one(),
            "child-reads-stdin" => shell("test -z \"$(cat)\""),
            _ => {}
        }
        Ok(StopReason::EndTurn)
    }
}

/// Runs a command that inherits stdin, stdout and stderr.
fn shell(script: &str) {
    let status = Command::new("sh").args(["-c", script]).status().expect("a shell");
    assert!(status.success(), "`{script}` failed");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Noisy.serve_stdio().with_graceful_shutdown(SHUTDOWN.notified()).await
}
