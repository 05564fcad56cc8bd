//! A coder in a process of its own, and the client that drives it.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
};

use acp_client::{Connection, CurrentValue, Endpoint, Session, Update, transport::ByteStream};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{ChildStdin, ChildStdout},
};

/// The line behind which a process of a test's harness speaks the protocol.
pub(crate) const SERVING: &str = "the coder serves";

/// A process, and the connection to it. The process is killed when this is dropped.
pub(crate) struct Coder {
    pub(crate) process: Process,
    pub(crate) connection: Connection,
}

pub(crate) struct Process(Child);

impl Process {
    /// `kill -9`. The process is not reaped.
    pub(crate) fn kill(&mut self) {
        self.0.kill().expect("it runs");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Coder {
    /// The program on this file.
    pub(crate) async fn start(file: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coder"));
        command.arg("--store").arg(file);
        Self::spawn(command, false).await
    }

    /// An ignored test that serves the coder. Its harness has the first lines.
    #[cfg(unix)]
    pub(crate) async fn start_in_harness(command: Command) -> Self {
        Self::spawn(command, true).await
    }

    async fn spawn(mut command: Command, has_harness: bool) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the coder starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let stdin = ChildStdin::from_std(stdin).expect("it is a pipe");
        let mut stdout = BufReader::new(ChildStdout::from_std(stdout).expect("it is a pipe"));
        let process = Process(child);
        let mut line = String::new();
        while has_harness && line.trim() != SERVING {
            line.clear();
            assert!(stdout.read_line(&mut line).await.expect("it is text") > 0, "the coder serves");
        }
        let connection = Endpoint::over(ByteStream::new(stdout, stdin)).connect().await.expect("it is initialized");
        Self { process, connection }
    }
}

/// The text of the coder's answer to a prompt.
pub(crate) async fn answer(session: &Session, prompt: &str) -> acp_client::Result<String> {
    let mut turn = session.prompt(prompt).await?;
    let mut said = String::new();
    while let Some(text) = turn.text().await? {
        said.push_str(&text);
    }
    turn.finish().await?;
    Ok(said)
}

/// The session, and its history.
pub(crate) async fn load(connection: &Connection, id: &str) -> acp_client::Result<(Session, Vec<Update>)> {
    let mut loading = connection.load_session(id, "/").await?;
    let mut history = Vec::new();
    while let Some(update) = loading.next().await? {
        history.push(update);
    }
    Ok((loading.finish().await?, history))
}

/// The value of an option, as the client shows it.
pub(crate) fn shown(session: &Session, option: &str) -> String {
    match session.options().get(option).and_then(|option| option.current()) {
        Some(CurrentValue::Id(value)) => value.to_string(),
        Some(CurrentValue::Boolean(value)) => value.to_string(),
        other => panic!("`{option}` is {other:?}"),
    }
}
