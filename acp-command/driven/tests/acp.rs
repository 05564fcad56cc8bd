//! Runs `acp`, and keeps what it says.

use std::{
    ffi::OsStr,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    thread,
};

use serde_json::Value;

pub(crate) const ACP: &str = env!("CARGO_BIN_EXE_driven-acp");
pub(crate) const CODER: &str = env!("CARGO_BIN_EXE_driven-coder");
pub(crate) const CONFORMANCE: &str = env!("CARGO_BIN_EXE_driven-conformance");
pub(crate) const ECHO: &str = env!("CARGO_BIN_EXE_driven-echo");
pub(crate) const LLM: &str = env!("CARGO_BIN_EXE_driven-llm");
pub(crate) const MISBEHAVING: &str = env!("CARGO_BIN_EXE_driven-misbehaving");

/// The command, without a registry of the machine.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(ACP);
    command
        .args(arguments)
        .env_remove("ACP_REGISTRY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// What a run has said.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The lines of its stdout, as JSON.
    pub(crate) fn frames(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Fails unless it ended so, and its stderr has these texts.
    #[track_caller]
    pub(crate) fn failed(&self, exit: i32, texts: &[&str]) {
        assert_eq!(self.exit, exit, "{self:?}");
        for text in texts {
            assert!(self.stderr.contains(text), "no {text:?} in {self:?}");
        }
    }
}

/// Runs it to its end.
pub(crate) fn acp<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Ran {
    ended(command(arguments).spawn().unwrap())
}

/// Runs it to its end, with this stdin.
pub(crate) fn acp_with<A: AsRef<OsStr>>(input: &str, arguments: impl IntoIterator<Item = A>) -> Ran {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = thread::spawn(move || {
        // A program that refuses its arguments reads nothing.
        let _ = stdin.write_all(input.as_bytes());
    });
    let ran = ended(child);
    writer.join().unwrap();
    ran
}

/// Waits for its end.
pub(crate) fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { exit: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Reads from a child until it has said this. Returns all that was read.
pub(crate) fn read_until(from: &mut impl std::io::Read, text: &str) -> String {
    let mut read = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&read).contains(text) {
        let count = from.read(&mut byte).unwrap();
        assert_eq!(count, 1, "it ended before it said {text:?}: {}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
    String::from_utf8(read).unwrap()
}

/// A process that is killed at the end of a test.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// An agent that listens, and its URL.
    pub(crate) fn listening(store: &std::path::Path) -> (Self, String) {
        let mut command = Command::new(CODER);
        command.arg("--store").arg(store).args(["--listen", "127.0.0.1:0"]).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let running = Self(child);
        let line = read_until(&mut stderr, "\n");
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        let url = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        (running, url)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
