//! `acp record`: stands between an editor and an agent, and passes each byte on.

mod file;
mod signals;

use std::{
    cell::RefCell,
    ffi::OsString,
    path::PathBuf,
    process::{ExitCode, ExitStatus, Stdio},
    time::Duration,
};

use acp_judge::Party;
use clap::Args;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, stdin, stdout},
    process::Command,
    time::sleep,
};

use self::{file::Tape, signals::Signals};
use crate::exit::Failure;

/// How long the output of an agent that has ended is still read. Another process may hold it open.
const GRACE: Duration = Duration::from_secs(2);

const HELP: &str = "\
In the settings of an editor, put this in front of the command of the agent: `acp record --output /tmp/trace.jsonl --`. The exit code is that of \
the agent. `acp replay` judges the recording, and `acp redact` takes out what others should not read.";

/// Records what an editor and an agent say, byte for byte as without it.
///
/// Each line is written at once, so a recording is whole up to the last message, whatever ends the agent.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Record {
    /// The file of the recording. If it exists, the name gets a number: `trace.2.jsonl`.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The agent's program and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Record {
    pub(crate) async fn run(self) -> Result<ExitCode, Failure> {
        let system = |error| Failure::not_run(format!("the signals of this process cannot be heard: {error}"));
        let mut signals = Signals::new().map_err(system)?;
        let tape = RefCell::new(Tape::create(&self.output)?);
        let (program, arguments) = self.command.split_first().expect("clap demands a command");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut agent = command
            .spawn()
            .map_err(|error| Failure::not_run(format!("could not start the agent `{}`: {error}", program.display())))?;
        let (input, output) = (agent.stdin.take().expect("it is piped"), agent.stdout.take().expect("it is piped"));
        let id = agent.id();
        let mut to_agent = Some(Box::pin(pass(stdin(), input, Party::Client, &tape)));
        let mut to_client = std::pin::pin!(pass(output, stdout(), Party::Agent, &tape));
        let (mut is_output_open, mut status) = (true, None);
        let status = loop {
            if let (Some(status), false) = (status, is_output_open) {
                break status;
            }
            tokio::select! {
                () = async { to_agent.as_mut().expect("the branch is open").await }, if to_agent.is_some() => to_agent = None,
                () = &mut to_client, if is_output_open => {
                    is_output_open = false;
                    // Nobody reads any more, or nobody writes. An agent that still runs sees the end of its input.
                    to_agent = None;
                }
                ended = agent.wait(), if status.is_none() => {
                    let failed = |error| Failure::not_run(format!("the system does not say how the agent ended: {error}"));
                    status = Some(ended.map_err(failed)?);
                }
                () = sleep(GRACE), if status.is_some() => break status.expect("the branch is open"),
                signal = signals.next() => signals::pass_on(id.filter(|_| status.is_none()), signal),
            }
        };
        Ok(code(status))
    }
}

/// Passes bytes on until their end, or until nobody takes them.
async fn pass(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, party: Party, tape: &RefCell<Tape>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        // First the recording: an answer cannot stand before what it answers.
        tape.borrow_mut().bytes(party, &buffer[..count]);
        if to.write_all(&buffer[..count]).await.is_err() || to.flush().await.is_err() {
            break;
        }
    }
    tape.borrow_mut().end(party);
    let _ = to.shutdown().await;
}

/// The exit code of the agent; as a shell has it for one that a signal has ended.
fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
    #[cfg(not(unix))]
    let signal = None;
    let code = status.code().or(signal).and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
