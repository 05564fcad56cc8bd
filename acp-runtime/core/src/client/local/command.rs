//! Commands: in a terminal of the client, or as processes of the agent itself with the same rules.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use tokio::time::timeout;

use super::{Workspace, running::Running, shown::Shown, system::SHELL};
use crate::{
    client::TerminalHandle,
    values::{TerminalExitStatus, TerminalId, TerminalOutputResponse},
    wire::{Error, Result},
};

/// The default limit of the output that is kept, in bytes.
const KEPT: u64 = 1024 * 1024;
/// The time that [`CommandHandle::finish`] waits for the end of a killed command. A process in a system call may take long to
/// end.
const KILLED: Duration = Duration::from_secs(2);

impl Workspace {
    /// Runs a program, in a terminal of the client or as a process of the agent. It has no input.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use acp_runtime::{client::Workspace, prelude::*};
    ///
    /// async fn test(turn: &Turn<()>, workspace: &Workspace) -> Result<()> {
    ///     let call = turn.tool_call("Test").kind(ToolKind::Execute).start().await?;
    ///     let command = workspace.command("cargo").args(["test"]).timeout(Duration::from_secs(600)).start().await?;
    ///     // If the client runs or shows it, the user watches the terminal under the tool call.
    ///     call.show(&command).await?;
    ///     let tested = command.finish().await?;
    ///     match tested.is_success() {
    ///         true => call.complete(tested.output).await,
    ///         false => call.fail(tested.output).await,
    ///     }
    /// }
    /// ```
    pub fn command(&self, program: impl Into<String>) -> CommandBuilder {
        CommandBuilder {
            workspace: self.clone(),
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            cwd: PathBuf::new(),
            output_byte_limit: KEPT,
            timeout: None,
        }
    }

    /// Runs a line of the shell: `sh`, or `cmd` on Windows.
    pub fn shell(&self, line: impl Into<String>) -> CommandBuilder {
        let (shell, args) = SHELL;
        self.command(shell).args(args.iter().copied()).args([line.into()])
    }
}

/// A command that is not started yet. [`Workspace::command`] and [`Workspace::shell`] make one.
/// Only with the feature `local`.
#[derive(Debug)]
#[must_use = "nothing runs before `start` or `run`"]
pub struct CommandBuilder {
    workspace: Workspace,
    program: String,
    args: Vec<String>,
    env: Vec<(String, String)>,
    cwd: PathBuf,
    output_byte_limit: u64,
    timeout: Option<Duration>,
}

impl CommandBuilder {
    /// Adds arguments.
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of the command's environment.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Sets the command's working directory, relative to the folder of the workspace. By default, this is the folder itself.
    pub fn cwd(mut self, cwd: impl AsRef<Path>) -> Self {
        self.cwd = cwd.as_ref().to_owned();
        self
    }

    /// Sets the number of bytes of output that are kept: 1 MiB by default. The oldest bytes go first.
    pub fn output_byte_limit(mut self, bytes: u64) -> Self {
        self.output_byte_limit = bytes;
        self
    }

    /// Sets the time after which [`finish`](CommandHandle::finish) and [`run`](Self::run) kill the command. By default, they wait
    /// without end.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = Some(time);
        self
    }

    /// Starts the command.
    ///
    /// # Errors
    ///
    /// The client cannot run the command. Or the agent itself cannot start it: there is no such program, or no such folder.
    pub async fn start(self) -> Result<CommandHandle> {
        let Self { workspace, program, args, env, cwd, output_byte_limit, timeout } = self;
        let cwd = workspace.resolve(&cwd)?;
        let client = &workspace.client;
        if client.can_run_terminals() {
            let terminal = client.terminal(program).args(args).cwd(cwd).output_byte_limit(output_byte_limit);
            let terminal = env.into_iter().fold(terminal, |terminal, (name, value)| terminal.env(name, value));
            return Ok(CommandHandle { by: By::Client(terminal.start().await?), timeout });
        }
        client.cancellation().check()?;
        let limit = usize::try_from(output_byte_limit).unwrap_or(usize::MAX);
        let mut command = Command::new(&program);
        command.args(&args).envs(env).current_dir(&cwd);
        let show = || Shown::begin(client, &program, &args, &cwd);
        let running = Running::start(command, limit, client.cancellation().clone(), show).map_err(|error| {
            let place = if cwd.is_dir() { String::new() } else { format!(": there is no folder `{}`", cwd.display()) };
            Error::internal_error(format!("could not start `{program}`{place}: {error}"))
        })?;
        Ok(CommandHandle { by: By::Agent(running), timeout })
    }

    /// Starts the command, and [waits](CommandHandle::finish) for its end.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start) and [`finish`](CommandHandle::finish).
    pub async fn run(self) -> Result<CommandOutput> {
        self.start().await?.finish().await
    }
}

/// A command that was started. When the turn is cancelled, and when this handle is dropped, the command is killed with the
/// processes that it has started, unless they left its process group. [`Workspace::command`] has an example.
/// Only with the feature `local`.
///
/// Commands of the agent itself are also killed when the agent ends, even if it is killed (not on Windows).
///
/// As the content of a [tool call](crate::session::ToolCallHandle::show), it shows the client's terminal. If the agent itself
/// runs the command for a turn, a client of version 2 shows its terminal, with its output as it comes, and may cancel it: the command
/// is then killed. A client of version 1 shows nothing.
#[derive(Debug)]
pub struct CommandHandle {
    by: By,
    timeout: Option<Duration>,
}

enum By {
    Client(TerminalHandle),
    Agent(Running),
}

impl fmt::Debug for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Client(_) => "Client",
            Self::Agent(_) => "Agent",
        })
    }
}

/// The end of a command, and the last part of its output.
/// Only with the feature `local`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CommandOutput {
    /// Its output and its errors, in order.
    pub output: String,
    /// Whether the beginning of the output was dropped.
    pub is_truncated: bool,
    /// The exit code; `None` if a signal ended the command, or the client does not tell.
    pub exit_code: Option<u32>,
    /// The signal that ended the command, such as `SIGKILL`.
    pub signal: Option<String>,
    /// Whether the command was killed because its time was over.
    pub timed_out: bool,
}

/// The output and, on a line of its own, how the command ended: the result of a tool, as a model reads it.
impl fmt::Display for CommandOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { output, is_truncated, exit_code, signal, timed_out } = self;
        if *is_truncated {
            f.write_str("(the begin of the output is left out)\n")?;
        }
        f.write_str(output)?;
        if !output.is_empty() && !output.ends_with('\n') {
            f.write_str("\n")?;
        }
        match (timed_out, exit_code, signal) {
            (true, ..) => f.write_str("(killed: its time was over)"),
            (false, Some(code), _) => write!(f, "(exit code {code})"),
            (false, None, Some(signal)) => write!(f, "(ended by {signal})"),
            (false, None, None) => f.write_str("(ended)"),
        }
    }
}

impl CommandOutput {
    /// Whether the command ended by itself, with the exit code 0.
    pub fn is_success(&self) -> bool {
        self.exit_code == Some(0) && !self.timed_out
    }
}

impl CommandHandle {
    /// The terminal in which the client shows the command. `None` if it does not: the agent itself runs the command, and the client
    /// speaks version 1, or the command belongs to no turn.
    pub fn terminal(&self) -> Option<&TerminalId> {
        match &self.by {
            By::Client(terminal) => Some(terminal.id()),
            By::Agent(running) => running.shown(),
        }
    }

    /// The output so far. If the command has ended, also its exit status.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn output(&self) -> Result<TerminalOutputResponse> {
        match &self.by {
            By::Client(terminal) => terminal.output().await,
            By::Agent(running) => Ok(running.output()),
        }
    }

    /// Waits until the command has ended, without a limit of time.
    ///
    /// # Errors
    ///
    /// The call was cancelled, or the client answers with an error.
    pub async fn wait_for_exit(&self) -> Result<TerminalExitStatus> {
        match &self.by {
            By::Client(terminal) => terminal.wait_for_exit().await,
            By::Agent(running) => running.wait_for_exit().await,
        }
    }

    /// Kills the command. Its output stays readable.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn kill(&self) -> Result<()> {
        match &self.by {
            By::Client(terminal) => terminal.kill().await,
            By::Agent(running) => {
                running.kill();
                Ok(())
            }
        }
    }

    /// Releases the command: all its processes are killed, and its output is forgotten.
    ///
    /// # Errors
    ///
    /// The client answers with an error.
    pub async fn release(self) -> Result<()> {
        match self.by {
            By::Client(terminal) => terminal.release().await,
            By::Agent(running) => {
                drop(running);
                Ok(())
            }
        }
    }

    /// Waits for the end of the command, takes its output, and releases it. If its [time](CommandBuilder::timeout) is over, the
    /// command is killed, and its output so far is returned. A client that does not tell of the end of a killed command is waited for
    /// 2 more seconds; the output then has neither exit code nor signal, unless the client tells them with it.
    ///
    /// # Errors
    ///
    /// The call was cancelled, or the client answers with an error.
    pub async fn finish(self) -> Result<CommandOutput> {
        let waited = match self.timeout {
            None => Ok(self.wait_for_exit().await),
            Some(time) => timeout(time, self.wait_for_exit()).await,
        };
        let timed_out = waited.is_err();
        let exit = match waited {
            Ok(exit) => Some(exit?),
            Err(_) => {
                self.kill().await?;
                timeout(KILLED, self.wait_for_exit()).await.ok().transpose()?
            }
        };
        if let By::Agent(running) = &self.by {
            running.told().await?;
        }
        let TerminalOutputResponse { output, truncated, exit_status, .. } = self.output().await?;
        self.release().await?;
        let TerminalExitStatus { exit_code, signal, .. } = exit.or(exit_status).unwrap_or_default();
        Ok(CommandOutput { output, is_truncated: truncated, exit_code, signal, timed_out })
    }
}

#[cfg(test)]
mod tests {
    use super::CommandOutput;

    #[test]
    fn the_text_of_an_output_says_how_the_command_ended() {
        let mut done = CommandOutput {
            output: "two\nlines".to_owned(),
            is_truncated: false,
            exit_code: Some(3),
            signal: None,
            timed_out: false,
        };
        assert_eq!(done.to_string(), "two\nlines\n(exit code 3)");
        (done.exit_code, done.signal, done.is_truncated) = (None, Some("SIGKILL".to_owned()), true);
        assert_eq!(done.to_string(), "(the begin of the output is left out)\ntwo\nlines\n(ended by SIGKILL)");
        (done.timed_out, done.is_truncated) = (true, false);
        assert_eq!(done.to_string(), "two\nlines\n(killed: its time was over)");
        done = CommandOutput { output: String::new(), signal: None, timed_out: false, ..done };
        assert_eq!(done.to_string(), "(ended)");
    }
}
