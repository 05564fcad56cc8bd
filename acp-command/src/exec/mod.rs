//! `acp exec`: one prompt, for scripts.

mod output;
mod permissions;
mod settings;
mod strangers;

use std::{
    env,
    io::{self, IsTerminal as _, Read as _},
    path::PathBuf,
    time::Duration,
};

use acp_client::{
    Connection, Session, TurnEnd, acp_client,
    handlers::Result as Handled,
    parts::Workspace,
    values::{RequestPermissionRequest, RequestPermissionResponse, StopReason},
};
use clap::Args;

use self::{
    output::{Format, Output},
    permissions::Policy,
    settings::Setting,
};
use crate::{
    agent::{AgentArgs, misnamed_version},
    exit::{Exit, Failure},
    screen,
    stop::{Stop, Why},
};

/// A turn ended early: at a limit of tokens or requests, or for a reason of the agent's own.
const LIMIT: Exit = Exit::Own(5);
/// The agent refused to go on.
const REFUSED: Exit = Exit::Own(6);

/// The exit codes of `acp exec`.
const HELP: &str = "\
Exit codes:
    0  the turn ended (`end_turn`)
    1  the agent failed: it refused a request, ended, did not answer, or broke the protocol
    2  wrong usage; also an option or a value that the session does not have
    3  the agent needs a login
    4  the agent could not be started or reached
    5  the turn ended early: `max_tokens`, `max_turn_requests`, or a reason of the agent's own
    6  the agent refused to go on (`refusal`)
  124  the time of `--timeout` was over; the turn was cancelled
  130  the turn was cancelled, by Ctrl-C or SIGTERM, or by the agent

Examples:
  acp exec \"What is in this folder?\" -- my-agent --acp
  git diff | acp exec --permissions none --format quiet --agent https://agent.example.com/acp --token-file token
  acp exec --set model=fast --timeout 60 --format json \"Fix the failing test\" -- my-agent";

/// Sends one prompt to an agent, and prints the answer.
///
/// The first Ctrl-C cancels the turn, and a second one does not wait for the agent any more. The agent may read the files of the
/// session's folder through `acp`. Only with the permissions `ask` and `all` may it write them, and run commands there.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Exec {
    /// The prompt. Without it, or for `-`, stdin is read to its end.
    prompt: Option<String>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Sets an option of the session before the prompt, `option=value`. A switch is `true` or `false`.
    #[arg(long, value_name = "OPTION=VALUE")]
    set: Vec<Setting>,
    /// Who answers when the agent asks for permission. [default: `ask` in a terminal, elsewhere `reads`]
    #[arg(long, value_enum)]
    permissions: Option<Policy>,
    /// How many seconds everything may take, with the start of the agent. Then the turn is cancelled.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// The folder in which the session works. [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentArgs,
}

/// Reads a number of seconds, `30` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "a number of seconds above 0 is needed, such as 30 or 0.5".to_owned())
}

/// The client's side: a workspace, whose answers to requests for permission are shown.
struct Client {
    workspace: Workspace,
    output: Output,
}

#[acp_client(base = workspace)]
impl Client {
    async fn request_permission(&self, request: RequestPermissionRequest) -> Handled<RequestPermissionResponse> {
        let answer = self.workspace.permissions().request_permission(request.clone()).await?;
        self.output.permission(&request, &answer);
        Ok(answer)
    }
}

impl Exec {
    pub(crate) async fn run(self) -> Result<Exit, Failure> {
        let output = Output::new(self.format);
        strangers::count();
        let done = self.turn(&output).await.map_err(|failure| match strangers::told() {
            Some(line) if matches!(failure.exit, Exit::Failed | Exit::NotRun | Exit::TimedOut) => failure.and(&line),
            _ => failure,
        });
        if let Err(failure) = &done {
            output.failed(failure);
        }
        done
    }

    async fn turn(&self, output: &Output) -> Result<Exit, Failure> {
        let prompt = self.prompt()?;
        let folder = self.folder()?;
        let client =
            Client { workspace: Workspace::new(Policy::permissions(self.permissions)?), output: output.clone() };
        let mut stop = Stop::new(self.timeout)
            .map_err(|error| Failure::not_run(format!("the system does not tell this process of Ctrl-C: {error}")))?;
        let connection = stop.unless(self.agent.connect(client)).await?;
        if let Some(text) = misnamed_version(&connection) {
            screen::tell(format_args!("acp: {text}"));
        }
        let done = self.converse(&connection, folder, &prompt, output, &mut stop).await;
        // The answer is there. How the agent's process ends is its own matter.
        tokio::select! {
            _ = connection.close() => {}
            _ = stop.next() => {}
        }
        done
    }

    async fn converse(
        &self,
        connection: &Connection,
        folder: PathBuf,
        prompt: &str,
        output: &Output,
        stop: &mut Stop,
    ) -> Result<Exit, Failure> {
        let session = stop.unless(self.open(connection, folder)).await?;
        output.opened(connection, session.id().as_str())?;
        let begun = async { Ok(session.prompt(prompt).await?) };
        let mut turn = stop.unless(begun).await?;
        let mut why: Option<Why> = None;
        loop {
            tokio::select! {
                // A flood of updates does not hide a signal.
                biased;
                reason = stop.next() => {
                    if let Some(first) = why
                        && reason == Why::Interrupted
                    {
                        return Err(stop.failure(first, "and the agent did not end the cancelled turn"));
                    }
                    why.get_or_insert(reason);
                    turn.cancel();
                }
                step = output.step(&mut turn) => match step {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(failure) => return Err(match why {
                        Some(why) if failure.exit == Exit::Failed => failure.ending(why.exit()),
                        _ => failure,
                    }),
                },
            }
        }
        let end = turn.end().ok_or_else(|| Failure::not_run("the turn has no end"))?;
        let exit = why.map_or_else(|| exit_of(end), Why::exit);
        output.end(end, exit)?;
        match (why, exit) {
            (Some(why), _) => {
                screen::tell(format_args!("acp: {}", stop.failure(why, "and the turn was cancelled").text))
            }
            (None, Exit::Done) => {}
            (None, _) => screen::tell(format_args!("acp: the turn ended with `{}`", output::word(end))),
        }
        Ok(exit)
    }

    async fn open(&self, connection: &Connection, folder: PathBuf) -> Result<Session, Failure> {
        let session = connection.new_session(folder).await?;
        for setting in &self.set {
            setting.apply(&session).await?;
        }
        Ok(session)
    }

    fn prompt(&self) -> Result<String, Failure> {
        if let Some(prompt) = self.prompt.as_deref().filter(|prompt| *prompt != "-") {
            return Ok(prompt.to_owned());
        }
        if self.prompt.is_none() && io::stdin().is_terminal() {
            let text = "there is no prompt: write it before `--`, or send it to stdin (`acp exec - ..` reads it from the terminal)";
            return Err(Failure::usage(text));
        }
        let mut text = String::new();
        io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure::usage(format!("the prompt cannot be read from stdin: {error}")))?;
        if text.trim().is_empty() {
            return Err(Failure::usage("the prompt is empty: write it before `--`, or send it to stdin"));
        }
        Ok(text)
    }

    fn folder(&self) -> Result<PathBuf, Failure> {
        let folder = match &self.cwd {
            Some(folder) => folder.canonicalize(),
            None => env::current_dir(),
        };
        let shown =
            || self.cwd.as_ref().map_or_else(|| "the current folder".to_owned(), |cwd| cwd.display().to_string());
        folder.map_err(|error| Failure::usage(format!("`--cwd`: {} cannot be used: {error}", shown())))
    }
}

/// The exit code of a turn that nobody stopped.
fn exit_of(end: &TurnEnd) -> Exit {
    match end.stop_reason {
        Some(StopReason::EndTurn) => Exit::Done,
        Some(StopReason::Refusal) => REFUSED,
        Some(StopReason::Cancelled) => Exit::Cancelled,
        _ => LIMIT,
    }
}
