//! Terminals of a scripted client. The output and the exit of each command are known in advance.

use std::collections::BTreeMap;

use acp_peer::Error;
use serde_json::Value;
use tokio::sync::watch;

use super::{read, write};
use crate::{
    schema::Method,
    values::{
        CreateTerminalRequest, CreateTerminalResponse, KillTerminalRequest, KillTerminalResponse,
        ReleaseTerminalRequest, ReleaseTerminalResponse, TerminalExitStatus, TerminalOutputRequest,
        TerminalOutputResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse, methods,
    },
};

/// The output and the exit of a command. As soon as the command is started, it has printed everything and has ended.
///
/// ```
/// use acp_client::testing::Output;
///
/// let passed = Output::new("test result: ok\n");
/// let failed = Output::new("1 failed\n").exit_code(101);
/// let server = Output::new("listening\n").runs_until_killed();
/// # let _ = (passed, failed, server);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    text: String,
    exit: Option<TerminalExitStatus>,
}

impl Output {
    /// A command that prints this text and ends with the code 0.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), exit: None }.exit_code(0)
    }

    /// Sets the exit code.
    #[must_use]
    pub fn exit_code(mut self, code: u32) -> Self {
        self.exit = Some(TerminalExitStatus::new().exit_code(code));
        self
    }

    /// Lets a signal end the command.
    #[must_use]
    pub fn signal(mut self, signal: impl Into<String>) -> Self {
        self.exit = Some(TerminalExitStatus::new().signal(signal.into()));
        self
    }

    /// Lets the command run until the agent kills or releases it.
    #[must_use]
    pub fn runs_until_killed(mut self) -> Self {
        self.exit = None;
        self
    }
}

#[derive(Default)]
pub(super) struct Terminals {
    scripts: Vec<Scripted>,
    running: BTreeMap<String, Running>,
    count: usize,
}

struct Scripted {
    line: String,
    output: Output,
    is_used: bool,
}

struct Running {
    text: String,
    is_truncated: bool,
    exit: watch::Sender<Option<TerminalExitStatus>>,
}

/// The answer, now or later.
pub(super) enum Answer {
    Now(Value),
    AtExit(watch::Receiver<Option<TerminalExitStatus>>),
    NotScripted(String),
}

/// Waits for the exit of a command. A released command counts as ended.
pub(super) async fn exited(mut exit: watch::Receiver<Option<TerminalExitStatus>>) -> WaitForTerminalExitResponse {
    let status = match exit.wait_for(Option::is_some).await {
        Ok(status) => status.clone().unwrap_or_default(),
        Err(_) => killed(),
    };
    WaitForTerminalExitResponse::new().exit_code(status.exit_code).signal(status.signal)
}

fn killed() -> TerminalExitStatus {
    TerminalExitStatus::new().signal("SIGKILL".to_owned())
}

impl Terminals {
    pub(super) fn script(&mut self, line: String, output: Output) {
        self.scripts.push(Scripted { line, output, is_used: false });
    }

    pub(super) fn is_scripted(&self) -> bool {
        !self.scripts.is_empty()
    }

    /// The lines whose output was not used.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.scripts.iter().filter(|script| !script.is_used).map(|script| &*script.line)
    }

    pub(super) fn answer(&mut self, method: &str, params: Value) -> Result<Answer, Error> {
        let answer = match method {
            methods::CreateTerminal::NAME => return self.create(read(params)?),
            methods::TerminalOutput::NAME => {
                let TerminalOutputRequest { terminal_id, .. } = read(params)?;
                let Running { text, is_truncated, exit } = self.running(terminal_id.as_ref())?;
                write(&TerminalOutputResponse::new(text.as_str(), *is_truncated).exit_status(exit.borrow().clone()))
            }
            methods::WaitForTerminalExit::NAME => {
                let WaitForTerminalExitRequest { terminal_id, .. } = read(params)?;
                return Ok(Answer::AtExit(self.running(terminal_id.as_ref())?.exit.subscribe()));
            }
            methods::KillTerminal::NAME => {
                let KillTerminalRequest { terminal_id, .. } = read(params)?;
                self.running(terminal_id.as_ref())?.exit.send_modify(|exit| {
                    exit.get_or_insert_with(killed);
                });
                write(&KillTerminalResponse::new())
            }
            methods::ReleaseTerminal::NAME => {
                let ReleaseTerminalRequest { terminal_id, .. } = read(params)?;
                self.running(terminal_id.as_ref())?;
                self.running.remove(terminal_id.as_ref());
                write(&ReleaseTerminalResponse::new())
            }
            method => Err(Error::method_not_found(method)),
        };
        answer.map(Answer::Now)
    }

    fn running(&self, id: &str) -> Result<&Running, Error> {
        self.running.get(id).ok_or_else(|| Error::resource_not_found(id))
    }

    fn create(&mut self, request: CreateTerminalRequest) -> Result<Answer, Error> {
        let CreateTerminalRequest { command, args, output_byte_limit, .. } = request;
        let line = std::iter::once(command).chain(args).collect::<Vec<_>>().join(" ");
        let matching = |script: &&mut Scripted| line.starts_with(&script.line);
        let unused = self.scripts.iter_mut().filter(matching).find(|script| !script.is_used);
        let Some(script) = (match unused {
            Some(script) => Some(script),
            None => self.scripts.iter_mut().rfind(matching),
        }) else {
            return Ok(Answer::NotScripted(line));
        };
        script.is_used = true;
        let Output { mut text, exit } = script.output.clone();
        let limit = output_byte_limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let is_truncated = text.len() > limit;
        if is_truncated {
            // Whole characters are removed at the beginning, until the rest fits.
            let from = (text.len() - limit..=text.len()).find(|at| text.is_char_boundary(*at));
            text.drain(..from.unwrap_or(text.len()));
        }
        self.count += 1;
        let id = format!("terminal-{}", self.count);
        self.running.insert(id.clone(), Running { text, is_truncated, exit: watch::Sender::new(exit) });
        write(&CreateTerminalResponse::new(id)).map(Answer::Now)
    }
}
