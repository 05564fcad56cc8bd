//! The errors of a connection, for people. The cause comes first, then the last lines of the agent's stderr.

use std::{fmt, io, process::ExitStatus, sync::Arc, time::Duration};

use crate::{
    schema::Method,
    values::{AuthMethod, methods},
};

/// An error of a connection. Cheap to clone: every caller of a failed turn gets the same error.
///
/// ```
/// use acp_client::{Error, ErrorKind};
///
/// fn needs_login(error: &Error) -> bool {
///     matches!(error.kind(), ErrorKind::AuthRequired { .. })
/// }
/// # let _ = needs_login;
/// ```
#[derive(Clone)]
pub struct Error(Arc<Inner>);

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

struct Inner {
    kind: ErrorKind,
    stderr: String,
    junk: Vec<String>,
}

/// The cause of an [`Error`].
///
/// ```
/// use acp_client::{Error, ErrorKind};
///
/// fn advice(error: &Error) -> &'static str {
///     match error.kind() {
///         ErrorKind::Start { .. } => "install the agent",
///         ErrorKind::AuthRequired { .. } => "log in",
///         ErrorKind::TimedOut { .. } | ErrorKind::Silent { .. } => "try again",
///         // Causes of later versions.
///         _ => "see the message",
///     }
/// }
/// # let _ = advice;
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The agent's program could not be started.
    #[error("could not start the agent `{program}`: {error}")]
    Start {
        /// The program's name, as it was given.
        program: String,
        /// The system's error.
        error: io::Error,
    },
    /// The agent answered with an error.
    #[error("the agent refused `{method}`: {error}")]
    Refused {
        /// The method of the request.
        method: String,
        /// The agent's error.
        error: acp_peer::Error,
    },
    /// The connection was lost while the request was on its way or the agent worked on it, and has begun again: the agent may have
    /// worked on the request or not. A load of the session shows what the agent has kept.
    #[error("the connection was lost before `{method}` was answered: {}", error.message())]
    InDoubt {
        /// The method of the request.
        method: String,
        /// What is known of the loss.
        error: acp_peer::Error,
    },
    /// The agent's user must authenticate first: see [`Connection::authenticate`](crate::Connection::authenticate).
    #[error("the agent refused `{method}`: its user has to authenticate first{}: {error}", ways(methods))]
    AuthRequired {
        /// The method of the request.
        method: String,
        /// The ways to authenticate that the agent offered.
        methods: Vec<AuthMethod>,
        /// The agent's error.
        error: acp_peer::Error,
    },
    /// The agent did not answer in time.
    #[error("the agent did not answer `{method}` within {after:?}")]
    TimedOut {
        /// The method of the request.
        method: String,
        /// The time limit.
        after: Duration,
    },
    /// The agent did not read its input, so the request was not sent.
    #[error("`{method}` was not sent: the agent did not read its input for {after:?}")]
    Unsent {
        /// The method of the request.
        method: String,
        /// The time limit of the method: mostly [`ConnectOptions::request_timeout`](crate::ConnectOptions).
        after: Duration,
    },
    /// The agent sent nothing for too long while it worked on a turn or a load. The client has cancelled the turn or
    /// load.
    #[error("the agent sent nothing for {after:?} while it worked on `{method}`")]
    Silent {
        /// The method of the turn or load.
        method: String,
        /// The time limit: [`ConnectOptions::turn_silence`](crate::ConnectOptions), or `request_timeout` for a load.
        after: Duration,
    },
    /// The agent did not answer a cancelled request in time, and may still work on it.
    #[error("the agent did not answer `{method}` within {after:?}, although it was cancelled")]
    CancelIgnored {
        /// The method of the cancelled request.
        method: String,
        /// The time limit: [`ConnectOptions::cancel_timeout`](crate::ConnectOptions).
        after: Duration,
    },
    /// The agent has ended, or its connection has, or this client had closed it before.
    #[error("{}: {how}", ended(method, how))]
    Ended {
        /// The method of the request.
        method: String,
        /// The end of the connection.
        how: End,
    },
    /// This client closed or deleted the session. This ends its turn or load, and nothing more is sent about it.
    #[error("`{method}` is not answered: this client has closed or deleted the session")]
    SessionOver {
        /// The method of the request.
        method: String,
    },
    /// The agent's answer does not follow the protocol.
    #[error("the agent's answer to `{method}` cannot be read: {problem}")]
    Unreadable {
        /// The method of the request.
        method: String,
        /// The mistake in the answer, and its place.
        problem: String,
    },
    /// The agent did not advertise this capability.
    #[error("the agent does not offer {what}: it did not advertise `{capability}`")]
    NotOffered {
        /// The missing feature.
        what: String,
        /// The capability that would advertise the feature: in the answer to `initialize`, or, for the cancel of one tool call or
        /// terminal, in its updates.
        capability: &'static str,
    },
    /// The agent speaks another version of the protocol.
    #[error("the agent speaks version {0} of the protocol, which this client does not speak")]
    Version(u16),
    /// The agent speaks none of the versions that the client asked for.
    #[error("the agent speaks {} of the protocol, and this client speaks none of them: {error}", versions(supported))]
    Unsupported {
        /// The versions that the agent named; empty if it named none.
        supported: Vec<u16>,
        /// The agent's error, with the code -32022.
        error: acp_peer::Error,
    },
    /// While a caller waited for an answer, too many updates arrived before it, and nobody took them.
    #[error(
        "the turn sent more than {bytes} bytes that nobody took, while an answer behind them was waited for: take its updates, or wait for the answer when it has ended"
    )]
    Flooded {
        /// The bound: [`ConnectOptions::unread_hard_bytes`](crate::ConnectOptions).
        bytes: usize,
    },
    /// The request makes no sense, so the agent was not asked.
    #[error("{0}")]
    Invalid(String),
    /// An error of the system in the caller's own code, which `?` has turned into this error. No function of this crate returns
    /// it.
    #[error("{0}")]
    Io(io::Error),
}

/// The end of an agent's process.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Exit {
    /// The system's exit status.
    pub status: ExitStatus,
    /// True if the process went on after its input was closed, and so was told to end or killed.
    pub forced: bool,
    /// Whether processes that the agent had started were still running at its end. They are told to end, and are killed
    /// after [`grace`](crate::ConnectOptions). This is known on Linux only; other systems kill such processes at once.
    /// A process that has left the agent's process group, as daemons do, is neither seen nor ended.
    pub orphans: bool,
}

/// The end of a connection.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum End {
    /// This client closed it.
    Closed,
    /// The agent's process ended.
    Exited(Exit),
    /// The agent closed its output. If the agent has a process, the process was still running a moment later.
    HungUp,
    /// The agent closed its input, so nothing can be sent to it. If the agent has a process, the process was still
    /// running a moment later.
    InputClosed,
    /// The client could not read a message from the agent, or could not write one to it.
    Broken(String),
    /// The agent's server lets in only who has logged in: with a token, for example.
    Unauthorized(String),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("this client has closed the connection"),
            Self::Exited(exit) => write!(f, "its process ended with {}", exit.status),
            Self::HungUp => f.write_str("it closed its output"),
            Self::InputClosed => f.write_str("it closed its input"),
            Self::Broken(error) | Self::Unauthorized(error) => f.write_str(error),
        }
    }
}

/// What has ended: an agent's process, or the connection to it.
fn ended(method: &str, how: &End) -> String {
    match how {
        End::Closed => format!("`{method}` is not answered"),
        // The first request may find that nobody is there.
        End::Broken(_) | End::Unauthorized(_) if method == methods::Initialize::NAME => {
            format!("there is no connection to the agent, so `{method}` is not answered")
        }
        End::Broken(_) | End::Unauthorized(_) => format!("the connection ended before the answer to `{method}`"),
        _ => format!("the agent ended before it answered `{method}`"),
    }
}

fn versions(supported: &[u16]) -> String {
    let numbers: Vec<_> = supported.iter().map(u16::to_string).collect();
    match &*numbers {
        [] => "other versions".to_owned(),
        [one] => format!("only version {one}"),
        several => format!("only the versions {}", several.join(", ")),
    }
}

fn ways(methods: &[AuthMethod]) -> String {
    let ids: Vec<_> = methods.iter().map(|method| format!("`{}`", method.id())).collect();
    if ids.is_empty() { String::new() } else { format!(" (it offers {})", ids.join(", ")) }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self::with(kind, String::new(), Vec::new())
    }

    /// Adds the agent's output outside of the protocol to an error.
    pub(crate) fn with(kind: ErrorKind, stderr: String, junk: Vec<String>) -> Self {
        let stderr = shown(&stderr);
        let junk = junk.iter().map(|line| shown(line)).collect();
        Self(Arc::new(Inner { kind, stderr, junk }))
    }

    pub(crate) fn invalid(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid(what.into()))
    }

    /// The cause.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The last lines of the agent's stderr at the time of the error; empty if there are none. Control characters are
    /// escaped.
    pub fn stderr(&self) -> &str {
        &self.0.stderr
    }

    /// Lines of the agent's stdout that were no messages. Often they show the reason of the failure. Control characters
    /// are escaped.
    pub fn junk(&self) -> &[String] {
        &self.0.junk
    }

    /// The agent's error, if the agent answered with one.
    pub fn refusal(&self) -> Option<&acp_peer::Error> {
        match &self.0.kind {
            ErrorKind::Refused { error, .. }
            | ErrorKind::AuthRequired { error, .. }
            | ErrorKind::Unsupported { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// A text of the agent without control characters, which could change the terminal that shows an error: they are
/// escaped. Line ends and tabs stay.
fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\r' if rest.peek() == Some(&'\n') => {}
            char if char.is_control() && !matches!(char, '\n' | '\t') => shown.extend(char.escape_default()),
            char => shown.push(char),
        }
    }
    shown
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, stderr, junk } = &*self.0;
        // The kind may contain a message of the agent.
        f.write_str(&shown(&kind.to_string()))?;
        if !junk.is_empty() {
            write!(f, "; its stdout had lines that are no messages:\n{}", junk.join("\n"))?;
        }
        if !stderr.is_empty() {
            write!(f, "; its stderr ends:\n{stderr}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `main` prints an error with `Debug`, so `Debug` also has the form for people.
        write!(f, "{self}")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Start { error, .. } | ErrorKind::Io(error) => Some(error),
            ErrorKind::Refused { error, .. }
            | ErrorKind::InDoubt { error, .. }
            | ErrorKind::AuthRequired { error, .. }
            | ErrorKind::Unsupported { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// For a function of one's own that asks an agent, and reads a file or a terminal.
///
/// ```
/// use std::io;
///
/// async fn ask(session: &mut acp_client::Session) -> acp_client::Result<()> {
///     let question = io::read_to_string(io::stdin())?;
///     session.prompt(question).await?;
///     Ok(())
/// }
/// # let _ = ask;
/// ```
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error))
    }
}

/// A handler may itself ask the agent and fail. Its error is then the agent's error, or an internal error with the
/// cause.
impl From<Error> for acp_peer::Error {
    fn from(error: Error) -> Self {
        match (error.refusal(), error.kind()) {
            (Some(refusal), _) => refusal.clone(),
            // As of any handler that reads a file: the text of a custom error stays here.
            (None, ErrorKind::Io(error)) => match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code).into(),
                None => io::Error::from(error.kind()).into(),
            },
            // The agent's stderr is left out, because the agent has it.
            (None, kind) => Self::internal_error(kind.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_system_is_shown_here_and_told_to_the_peer_without_its_own_text() {
        let error = Error::from(io::Error::other("no such user: /home/me"));
        assert_eq!(
            (error.to_string(), format!("{error:?}")),
            ("no such user: /home/me".into(), "no such user: /home/me".into())
        );
        assert!(std::error::Error::source(&error).is_some());
        assert!(!acp_peer::Error::from(error).message().contains("/home/me"));
        let missing = Error::from(io::Error::from_raw_os_error(2));
        assert!(acp_peer::Error::from(missing.clone()).message().contains(&missing.to_string()), "{missing}");
    }

    #[test]
    fn an_error_cannot_change_the_terminal_that_shows_it() {
        let error = acp_peer::Error::new(-1, "no\u{1b}[2J");
        let kind = ErrorKind::Refused { method: "m".to_owned(), error };
        let error =
            Error::with(kind, "\u{1b}]0;title\u{7}one\r\n\ttwo\u{9b}1m\rü".to_owned(), vec!["\u{8}x".to_owned()]);
        assert_eq!(error.stderr(), "\\u{1b}]0;title\\u{7}one\n\ttwo\\u{9b}1m\\rü");
        let text = format!("{error} {error:?}");
        assert!(!text.chars().any(|char| char.is_control() && !matches!(char, '\n' | '\t')), "{text:?}");
        assert!(text.contains(r"no\u{1b}[2J") && text.contains(r"\u{8}x"), "{text}");
    }
}
