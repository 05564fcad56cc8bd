//! An agent that works with files and commands. Each prompt has a word for the work, and its arguments as JSON.

use std::{path::PathBuf, time::Duration};

use acp_runtime::{
    client::{CommandBuilder, CommandHandle},
    prelude::*,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// The state of a session.
pub struct Session {
    cwd: PathBuf,
    /// A command that goes on after its turn's handler has used it.
    kept: Option<CommandHandle>,
}

/// Does what the prompt says.
#[acp_agent(session = Session)]
#[derive(Clone)]
pub struct Workshop;

/// A command as a prompt describes it.
#[derive(Deserialize)]
struct Work {
    program: Option<String>,
    shell: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    env: Option<(String, String)>,
    cwd: Option<PathBuf>,
    limit: Option<u64>,
    milliseconds: Option<u64>,
}

#[acp_agent]
impl Workshop {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd, kept: None }
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, session: &mut Session, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let (what, arguments) = text.split_once(' ').unwrap_or((&text, "null"));
        let arguments: Value = serde_json::from_str(arguments)?;
        let workspace = turn.client().workspace(&session.cwd);
        let path = arguments["path"].as_str().unwrap_or_default();
        let command = || -> Result<CommandBuilder> {
            let Work { program, shell, args, env, cwd, limit, milliseconds } =
                serde_json::from_value(arguments.clone())?;
            let mut command = match (program, shell) {
                (Some(program), _) => workspace.command(program),
                (None, line) => workspace.shell(line.unwrap_or_default()),
            };
            command = command.args(args);
            if let Some((name, value)) = env {
                command = command.env(name, value);
            }
            if let Some(cwd) = cwd {
                command = command.cwd(cwd);
            }
            if let Some(limit) = limit {
                command = command.output_byte_limit(limit);
            }
            if let Some(milliseconds) = milliseconds {
                command = command.timeout(Duration::from_millis(milliseconds));
            }
            Ok(command)
        };
        match what {
            "pid" => turn.message(std::process::id().to_string()).await?,
            "read" => turn.message(workspace.read(path).await?).await?,
            "lines" => {
                let number = |key: &str| arguments[key].as_u64().and_then(|number| u32::try_from(number).ok());
                let (line, limit) = (number("line").unwrap_or(1), number("limit").unwrap_or(1));
                turn.message(workspace.read_lines(path, line, limit).await?).await?;
            }
            "write" => workspace.write(path, arguments["content"].as_str().unwrap_or_default()).await?,
            "run" => {
                let done = command()?.run().await?;
                let told = json!({
                    "output": done.output, "truncated": done.is_truncated, "code": done.exit_code,
                    "signal": done.signal, "late": done.timed_out, "success": done.is_success(),
                });
                turn.message(told.to_string()).await?;
            }
            // The length of the output alone.
            "measure" => turn.message(command()?.run().await?.output.len().to_string()).await?,
            "show" => {
                let call = turn.tool_call("Run").start().await?;
                let done = call.run(command()?).await?;
                call.complete(done.output).await?;
            }
            "start" => {
                let command = command()?.start().await?;
                // The command writes a line when it is ready.
                while command.output().await?.output.is_empty() {
                    turn.until_cancelled(tokio::time::sleep(Duration::from_millis(5))).await?;
                }
                turn.message(command.output().await?.output).await?;
                session.kept = Some(command);
            }
            "wait" => {
                turn.message("waiting").await?;
                if let Some(command) = &session.kept {
                    command.wait_for_exit().await?;
                }
            }
            "kill" => {
                if let Some(command) = &session.kept {
                    command.kill().await?;
                    let exit = command.wait_for_exit().await?;
                    turn.message(format!("{:?} {}", exit.signal, command.output().await?.output)).await?;
                }
            }
            "drop" => drop(session.kept.take()),
            "release" => {
                if let Some(command) = session.kept.take() {
                    command.release().await?;
                }
            }
            "hold" => {
                let command = command()?.start().await?;
                while command.output().await?.output.is_empty() {
                    turn.until_cancelled(tokio::time::sleep(Duration::from_millis(5))).await?;
                }
                turn.message(command.output().await?.output).await?;
                // The handle outlives the turn, but the turn's cancel kills the command.
                session.kept = Some(command);
                turn.cancelled().await;
            }
            other => turn.message(format!("no work `{other}`")).await?,
        }
        Ok(StopReason::EndTurn)
    }
}
