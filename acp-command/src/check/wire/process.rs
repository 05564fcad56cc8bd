//! An agent that `acp` has started: its process, and its lines.

use std::process::{ExitStatus, Stdio};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::{Duration, Instant, timeout_at},
};

use super::{Said, stderr::Stderr};
use crate::{check::group, exit::Failure};

pub(super) struct Process {
    child: Child,
    pub(super) group: Option<u32>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    part: Vec<u8>,
    stderr: Stderr,
}

impl Process {
    pub(super) fn start(mut command: Command, show_stderr: bool) -> Result<Self, Failure> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // Its processes can be found, and none of them outlives the check.
        #[cfg(unix)]
        command.process_group(0);
        let program = command.as_std().get_program().to_owned();
        let mut child = command
            .spawn()
            .map_err(|error| Failure::not_run(format!("could not start the agent `{}`: {error}", program.display())))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let stderr = Stderr::read(child.stderr.take().expect("it is piped"), show_stderr);
        let group = child.id();
        Ok(Self { child, group, input, output: BufReader::with_capacity(64 * 1024, output), part: Vec::new(), stderr })
    }

    /// Writes a line. After a failure, nothing more is written.
    pub(super) async fn write(&mut self, line: &[u8], limit: Duration) {
        let Some(input) = &mut self.input else { return };
        let all = [line, b"\n"].concat();
        let written = async {
            input.write_all(&all).await?;
            input.flush().await
        };
        if !matches!(timeout_at(Instant::now() + limit, written).await, Ok(Ok(()))) {
            self.input = None;
        }
    }

    /// The next line. What stands behind the last line end is one, too.
    pub(super) async fn next(&mut self, until: Instant) -> Said {
        loop {
            let Ok(read) = timeout_at(until, self.output.fill_buf()).await else { return Said::Nothing };
            let bytes = read.unwrap_or_default();
            if bytes.is_empty() {
                let part = std::mem::take(&mut self.part);
                return if part.is_empty() { Said::End } else { Said::Line(part) };
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            self.part.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            let count = end.map_or(bytes.len(), |end| end + 1);
            self.output.consume(count);
            if end.is_some() {
                return Said::Line(std::mem::take(&mut self.part));
            }
        }
    }

    /// Closes its input. Returns whether it was open.
    pub(super) fn hang_up(&mut self) -> bool {
        self.input.take().is_some()
    }

    pub(super) fn terminate(&self) {
        group::terminate(self.group);
    }

    /// How the process ended; `None` if it runs still.
    pub(super) async fn exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        timeout_at(Instant::now() + limit, self.child.wait()).await.ok()?.ok()
    }

    /// The last lines that it has written to stderr.
    pub(super) async fn last_lines(&mut self) -> Vec<String> {
        self.stderr.last_lines().await
    }

    /// Ends all that is left of the agent.
    pub(super) async fn kill(&mut self) {
        group::kill(self.group);
        let _ = self.child.kill().await;
        // From here on, another process may get the id.
        self.group = None;
    }

    /// Reads what nobody looks at.
    pub(super) async fn drain(&mut self, until: Instant) {
        let mut rest = Vec::new();
        let _ = timeout_at(until, self.output.read_to_end(&mut rest)).await;
    }
}

/// Also a check that is interrupted leaves nothing behind.
impl Drop for Process {
    fn drop(&mut self) {
        group::kill(self.group);
    }
}
