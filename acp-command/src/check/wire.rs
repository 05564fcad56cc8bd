//! A process of the agent, its lines, and the recording of all that passes.

use std::{process::Stdio, time::Duration};

use acp_judge::{Party, Tape};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::{Instant, timeout_at},
};

use super::group;
use crate::exit::Failure;

/// What the agent's stdout gave.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    Line(Vec<u8>),
    /// The agent closed its stdout.
    End,
    /// Nothing came in time.
    Nothing,
}

/// A running agent.
pub(super) struct Wire {
    child: Child,
    pub(super) group: Option<u32>,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    part: Vec<u8>,
    has_ended: bool,
    began: Instant,
    pub(super) tape: Tape,
}

impl Wire {
    pub(super) fn start(mut command: Command, show_stderr: bool) -> Result<Self, Failure> {
        let stderr = if show_stderr { Stdio::inherit() } else { Stdio::null() };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).kill_on_drop(true);
        // Its processes can be found, and none of them outlives the check.
        #[cfg(unix)]
        command.process_group(0);
        let program = command.as_std().get_program().to_owned();
        let mut child = command
            .spawn()
            .map_err(|error| Failure::not_run(format!("could not start the agent `{}`: {error}", program.display())))?;
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let group = child.id();
        let output = BufReader::with_capacity(64 * 1024, output);
        let (part, began, tape) = (Vec::new(), Instant::now(), Tape::new());
        Ok(Self { child, group, input, output, part, has_ended: false, began, tape })
    }

    /// Records a line, or the end of a party.
    fn record(&mut self, from: Party, line: Option<&[u8]>) {
        let last = self.tape.entries().last().map(|entry| entry.at).unwrap_or_default();
        self.tape.pass(self.began.elapsed().saturating_sub(last));
        match line {
            Some(line) => self.tape.say(from, line),
            None => self.tape.hang_up(from),
        }
    }

    /// Writes a line. If the agent reads no more within the limit, the line counts as sent: its answer will be missing.
    pub(super) async fn send(&mut self, line: &[u8], limit: Duration) {
        // First the recording: an answer cannot stand before what it answers.
        self.record(Party::Client, Some(line));
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

    /// The next line of the agent. Between two calls, nothing is read.
    pub(super) async fn next(&mut self, until: Instant) -> Said {
        if self.has_ended {
            return Said::End;
        }
        loop {
            let Ok(read) = timeout_at(until, self.output.fill_buf()).await else { return Said::Nothing };
            let bytes = read.unwrap_or_default();
            if bytes.is_empty() {
                self.has_ended = true;
                let part = std::mem::take(&mut self.part);
                if !part.is_empty() {
                    self.record(Party::Agent, Some(&part));
                }
                self.record(Party::Agent, None);
                return if part.is_empty() { Said::End } else { Said::Line(part) };
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            self.part.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            let count = end.map_or(bytes.len(), |end| end + 1);
            self.output.consume(count);
            if end.is_some() {
                let line = std::mem::take(&mut self.part);
                self.record(Party::Agent, Some(&line));
                return Said::Line(line);
            }
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Closes the agent's input.
    pub(super) fn hang_up(&mut self) {
        if self.input.take().is_some() {
            self.record(Party::Client, None);
        }
    }

    pub(super) fn terminate(&self) {
        group::terminate(self.group);
    }

    /// How the process ended; `None` if it runs still.
    pub(super) async fn exit(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        timeout_at(Instant::now() + limit, self.child.wait()).await.ok()?.ok()
    }

    /// Ends all that is left of the agent, and returns the recording.
    pub(super) async fn finish(mut self) -> Tape {
        self.hang_up();
        group::kill(self.group);
        let _ = self.child.kill().await;
        // From here on, another process may get the id.
        self.group = None;
        // What it said before its end is part of the recording.
        let until = Instant::now() + Duration::from_millis(100);
        while let Said::Line(_) = self.next(until).await {}
        let mut rest = Vec::new();
        let _ = timeout_at(until, self.output.read_to_end(&mut rest)).await;
        std::mem::take(&mut self.tape)
    }
}

/// Also a check that is interrupted leaves nothing behind.
impl Drop for Wire {
    fn drop(&mut self) {
        group::kill(self.group);
    }
}
