//! The exit codes, and why a command failed.

use std::{io, process::ExitCode};

use acp_client::{
    End, Error, ErrorKind,
    values::{AuthMethod, methods},
};
use acp_schema::Method as _;

/// For the help of all commands. `exec` has a table of its own.
pub(crate) const HELP: &str = "Exit codes: 0 done, 1 the agent failed, or `check`, `replay` or `registry check` has findings, or `diff` differences, \
2 wrong usage, 3 the agent needs a login, 4 the agent could not be started or reached. `acp help exec` and `acp help check` have more.";

/// How the program ends. Scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    Failed,
    Usage,
    Login,
    NotRun,
    /// An end that only one command has, from 5 on. The command names it.
    Own(u8),
    /// As `timeout` of the system.
    TimedOut,
    /// As a program that Ctrl-C has ended.
    Cancelled,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Login => 3,
            Self::NotRun => 4,
            Self::Own(code) => code,
            Self::TimedOut => 124,
            Self::Cancelled => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command failed, for people: what was wrong, where, and what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) text: String,
    /// The error of the client, if it was one.
    error: Option<Error>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, text: impl Into<String>) -> Self {
        Self { exit, text: text.into(), error: None }
    }

    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::new(Exit::Usage, text)
    }

    pub(crate) fn not_run(text: impl Into<String>) -> Self {
        Self::new(Exit::NotRun, text)
    }

    /// The same failure, with one more line.
    pub(crate) fn and(self, line: &str) -> Self {
        Self { text: format!("{}\n{line}", self.text), ..self }
    }

    /// The same failure, with another exit code.
    pub(crate) fn ending(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// Whether the agent speaks another version of the protocol.
    pub(crate) fn is_of_version(&self) -> bool {
        let kind = self.error.as_ref().map(Error::kind);
        matches!(kind, Some(ErrorKind::Version(_) | ErrorKind::Unsupported { .. }))
    }

    /// Whether there was no program that could be started.
    pub(crate) fn is_of_start(&self) -> bool {
        matches!(self.error.as_ref().map(Error::kind), Some(ErrorKind::Start { .. }))
    }

    /// Whether the agent has ended, or cannot be understood: nothing more can be asked of it.
    pub(crate) fn is_of_agent(&self) -> bool {
        matches!(self.error.as_ref().map(Error::kind), Some(ErrorKind::Ended { .. } | ErrorKind::Unsent { .. }))
    }

    /// A failure in writing the result.
    pub(crate) fn output(error: &io::Error) -> Self {
        // Nobody reads the rest, as behind `head`.
        let exit = if error.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Failed };
        Self::new(exit, format!("the result cannot be written: {error}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::Invalid(_) => Exit::Usage,
            ErrorKind::AuthRequired { .. } | ErrorKind::Ended { how: End::Unauthorized(_), .. } => Exit::Login,
            ErrorKind::Start { .. } | ErrorKind::Version(_) | ErrorKind::Unsupported { .. } => Exit::NotRun,
            ErrorKind::Refused { method, .. }
            | ErrorKind::TimedOut { method, .. }
            | ErrorKind::Unsent { method, .. }
            | ErrorKind::Ended { method, .. }
            | ErrorKind::Unreadable { method, .. }
                if method == methods::Initialize::NAME =>
            {
                Exit::NotRun
            }
            _ => Exit::Failed,
        };
        let mut text = error.to_string();
        if let ErrorKind::AuthRequired { methods, .. } = error.kind() {
            text.push_str(&logins(methods));
        }
        Self { exit, text, error: Some(error) }
    }
}

/// What the user can do to log in.
fn logins(methods: &[AuthMethod]) -> String {
    let mut text = String::new();
    for method in methods {
        let line = match method {
            AuthMethod::Terminal(method) => {
                let args: Vec<_> = method.args.iter().map(|arg| format!(" {arg}")).collect();
                format!("{}: run the agent's program in a terminal, with{}", method.name, args.concat())
            }
            AuthMethod::Agent(method) => match &method.description {
                Some(description) => format!("{}: {description}", method.name),
                None => format!("{}: the agent logs in by itself", method.name),
            },
            _ => continue,
        };
        text.push_str(&format!("\nhelp: {line}"));
    }
    if text.is_empty() {
        "\nhelp: the agent names no way to log in; see its own documentation".to_owned()
    } else {
        text
    }
}
