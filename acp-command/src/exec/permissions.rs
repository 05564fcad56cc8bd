//! Who answers when the agent asks for permission.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _},
    thread,
};

use acp_client::{
    parts::{Decision, Permissions},
    values::RequestPermissionRequest,
    versions::permission_title,
};
use clap::ValueEnum;
use tokio::sync::oneshot;

use crate::{exit::Failure, screen::visible};

/// A policy of permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Ask in the terminal.
    Ask,
    /// Allow tools that read, search or think; reject all others. The agent can change nothing through `acp`.
    Reads,
    /// Allow everything, each time once: for agents in a sandbox.
    All,
    /// Reject everything. The agent can change nothing through `acp`.
    None,
}

impl Policy {
    /// The policy that was named, or the one that fits the place where this program runs.
    pub(crate) fn permissions(named: Option<Self>) -> Result<Permissions, Failure> {
        let has_terminal = io::stderr().is_terminal() && terminal().is_ok();
        match named {
            Some(Self::Ask) if !has_terminal => Err(Failure::usage(
                "`--permissions ask` asks in a terminal, and there is none: use `reads`, `all` or `none`",
            )),
            None if has_terminal => Ok(Permissions::ask(ask)),
            Some(Self::Ask) => Ok(Permissions::ask(ask)),
            None | Some(Self::Reads) => Ok(Permissions::reads_only()),
            Some(Self::All) => Ok(Permissions::allow()),
            Some(Self::None) => Ok(Permissions::reject()),
        }
    }
}

/// The terminal itself, because stdin may be the prompt.
fn terminal() -> io::Result<File> {
    let name = if cfg!(windows) { "CONIN$" } else { "/dev/tty" };
    File::open(name)
}

async fn ask(request: RequestPermissionRequest) -> Decision {
    let (told, answer) = oneshot::channel();
    // If the agent withdraws the question, the thread waits for a line until the program ends.
    thread::spawn(move || told.send(asked(&request).unwrap_or(Decision::Dismiss)));
    answer.await.unwrap_or(Decision::Dismiss)
}

/// Shows the question, and reads the number of an option.
fn asked(request: &RequestPermissionRequest) -> io::Result<Decision> {
    let mut out = io::stderr().lock();
    writeln!(out, "\nThe agent asks: {}", visible(permission_title(request)))?;
    for (number, option) in request.options.iter().enumerate() {
        writeln!(out, "  {}) {}", number + 1, visible(&option.name))?;
    }
    let mut lines = BufReader::new(terminal()?);
    loop {
        write!(out, "A number, or nothing to reject: ")?;
        out.flush()?;
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(Decision::RejectOnce);
        }
        let number = line.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(option) = number.and_then(|number| request.options.get(number)) {
            return Ok(Decision::Pick(option.option_id.clone()));
        }
    }
}
