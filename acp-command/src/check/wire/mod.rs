//! What leads to the agent, a process or a connection, and the recording of all that passes.

mod far;
mod process;
mod stderr;

use std::{process::ExitStatus, time::Duration};

use acp_client::http::Http;
use acp_judge::{Party, Tape};
use tokio::{process::Command, time::Instant};

pub(super) use self::stderr::Stderr;
use self::{far::Far, process::Process};
use crate::exit::Failure;

/// What the agent gave.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    Line(Vec<u8>),
    /// The agent closed its stdout, or the connection is over.
    End,
    /// Nothing came in time.
    Nothing,
}

enum Link {
    Process(Box<Process>),
    Far(Far),
}

/// An agent that can be talked to.
pub(super) struct Wire {
    link: Link,
    has_ended: bool,
    /// Why the connection was lost.
    pub(super) lost: Option<Failure>,
    began: Instant,
    pub(super) tape: Tape,
}

impl Wire {
    fn new(link: Link) -> Self {
        Self { link, has_ended: false, lost: None, began: Instant::now(), tape: Tape::new() }
    }

    /// Starts a process of the agent.
    pub(super) fn start(command: Command, show_stderr: bool) -> Result<Self, Failure> {
        Process::start(command, show_stderr).map(|process| Self::new(Link::Process(Box::new(process))))
    }

    /// Opens a connection to an agent behind a URL.
    pub(super) fn open(http: Http) -> Result<Self, Failure> {
        Far::open(http).map(|far| Self::new(Link::Far(far)))
    }

    fn process(&mut self) -> Option<&mut Process> {
        match &mut self.link {
            Link::Process(process) => Some(process),
            Link::Far(_) => None,
        }
    }

    /// Whether the agent is a process that the check has started.
    pub(super) fn has_process(&self) -> bool {
        matches!(self.link, Link::Process(_))
    }

    /// The group of its processes.
    pub(super) fn group(&self) -> Option<u32> {
        match &self.link {
            Link::Process(process) => process.group,
            Link::Far(_) => None,
        }
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
        match &mut self.link {
            Link::Process(process) => process.write(line, limit).await,
            Link::Far(far) => far.write(line),
        }
    }

    /// The next line of the agent. Between two calls, nothing is read.
    pub(super) async fn next(&mut self, until: Instant) -> Said {
        if self.has_ended {
            return Said::End;
        }
        let said = match &mut self.link {
            Link::Process(process) => process.next(until).await,
            Link::Far(far) => far.next(until).await,
        };
        match &said {
            Said::Line(line) => self.record(Party::Agent, Some(line)),
            Said::End => {
                self.has_ended = true;
                if let Link::Far(far) = &mut self.link {
                    self.lost = far.lost().await;
                }
                self.record(Party::Agent, None);
            }
            Said::Nothing => {}
        }
        said
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Closes the input of the agent's process.
    pub(super) fn hang_up(&mut self) {
        if self.process().is_some_and(Process::hang_up) {
            self.record(Party::Client, None);
        }
    }

    pub(super) fn terminate(&mut self) {
        if let Some(process) = self.process() {
            process.terminate();
        }
    }

    /// How the process ended; `None` if it runs still.
    pub(super) async fn exit(&mut self, limit: Duration) -> Option<ExitStatus> {
        self.process()?.exit(limit).await
    }

    /// How the agent's process ended, in words; nothing for a connection.
    pub(super) async fn end(&mut self) -> String {
        /// How long the system has to report the end of a process.
        const GRACE: Duration = Duration::from_secs(1);
        if !self.has_process() {
            return String::new();
        }
        match self.exit(GRACE).await {
            // Whether there is a dump depends on the machine.
            Some(status) => format!(" ({})", status.to_string().trim_end_matches(" (core dumped)")),
            None => " (it has closed its stdout, and its process still runs)".to_owned(),
        }
    }

    /// The last lines that the agent has written to stderr.
    pub(super) async fn last_lines(&mut self) -> Vec<String> {
        match self.process() {
            Some(process) => process.last_lines().await,
            None => Vec::new(),
        }
    }

    /// Ends all that is left of the agent, and returns the recording.
    pub(super) async fn finish(mut self) -> Tape {
        self.hang_up();
        if let Some(process) = self.process() {
            process.kill().await;
        }
        // What it said before its end is part of the recording.
        let until = Instant::now() + Duration::from_millis(100);
        while let Said::Line(_) = self.next(until).await {}
        match self.link {
            Link::Process(mut process) => process.drain(until).await,
            Link::Far(far) => far.close().await,
        }
        self.tape
    }
}
