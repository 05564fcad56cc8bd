//! A turn: `session/update` (C.4), `session/request_permission` (C.5) and `_agentao.cn/ask_user` (C.11).

use std::path::Path;

use acp_runtime::values::{PermissionOption, PermissionOptionKind::*};
use acp_runtime::{client::Workspace, prelude::*};
use serde_json::Value;

use crate::schema::{AskUserRequest, methods::AskUser};
use crate::{Agentao, Config, Piece, Preset, Session};

#[acp_agent(part = turn)]
impl Agentao {
    // C.3 session/prompt, C.4 session/update

    async fn prompt(&self, request: PromptRequest, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        session.conversation.push(Piece::User(request.text()));
        // A model that finds no end is stopped.
        for _ in 0..10_000 {
            let config = turn.config();
            let next = self.model.next(config.model.id(), &self.providers, &session.conversation);
            let Some(piece) = turn.until_cancelled(next).await? else { return Ok(StopReason::EndTurn) };
            session.conversation.push(piece.clone());
            match piece {
                Piece::Text(text) => turn.message(text).await?,
                Piece::Thought(thought) => turn.thought(thought).await?,
                Piece::Call(name, arguments) => {
                    let result = make(&name, arguments, &session.cwd, &turn).await?;
                    session.conversation.push(Piece::Result(result));
                }
                Piece::Error(why) => {
                    turn.thought(format!("Error: {why}")).await?;
                    return Err(Error::internal_error(format!("the model failed: {why}")));
                }
                Piece::User(_) | Piece::Result(_) => {}
            }
        }
        Ok(StopReason::MaxTurnRequests)
    }
}

/// Makes a call of a tool, and returns what the model is told. A call that fails is no error of the turn.
async fn make(name: &str, arguments: Value, cwd: &Path, turn: &Turn<Config>) -> Result<String> {
    let kind = match name {
        "write_file" => ToolKind::Edit,
        "run_shell_command" => ToolKind::Execute,
        _ => ToolKind::Other,
    };
    let call = turn.tool_call(name).kind(kind).raw_input(arguments.clone()).start().await?;
    // C.10: the preset decides.
    let denied = |why: &'static str| Err(Error::invalid_request(why));
    let done = match (turn.config().mode, kind) {
        (Preset::ReadOnly | Preset::Plan, ToolKind::Edit | ToolKind::Execute) => denied("not in this mode"),
        (Preset::WorkspaceWrite, ToolKind::Execute) if !may_run(&call, name).await? => denied("rejected by the user"),
        _ => turn.until_cancelled(run(name, &arguments, &turn.client().workspace(cwd), turn)).await?,
    };
    let done = done.map_err(|error| format!("Error: {}", error.message()));
    call.finish(done.clone()).await?;
    Ok(done.unwrap_or_else(|error| error))
}

async fn run(name: &str, arguments: &Value, workspace: &Workspace, turn: &Turn<Config>) -> Result<String> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    match name {
        "write_file" => workspace.write(text("file_path"), text("content")).await.map(|()| "written".into()),
        "run_shell_command" => Ok(workspace.shell(text("command")).start().await?.finish().await?.to_string()),
        "ask_user" => Ok(ask_user(text("question"), turn).await),
        _ => Err(Error::invalid_params("there is no tool with this name")),
    }
}

// C.5 session/request_permission

/// Asks the user whether a tool may run. A cancel of the turn withdraws the question.
async fn may_run(call: &ToolCallHandle, tool: &str) -> Result<bool> {
    let options = [("allow", AllowOnce), ("allow_always", AllowAlways), ("reject", RejectOnce)];
    let options = options.map(|(id, kind)| PermissionOption::new(id, id.replace('_', " "), kind));
    Ok(call.permission().options(options.into()).remember(tool).ask().await?.is_allowed())
}

// C.11 _agentao.cn/ask_user

/// Asks the user, and returns the answer, or a text that says that there is none.
async fn ask_user(question: &str, turn: &Turn<Config>) -> String {
    let answer = turn.client().call::<AskUser>(&AskUserRequest::new(turn.id().clone(), question)).await;
    let answer = answer.ok().and_then(|said| said.answer.or(said.text)).filter(|answer| !answer.is_empty());
    answer.unwrap_or_else(|| "(user unavailable)".to_owned())
}
