//! A turn: `session/update` (C.4), `session/request_permission` (C.5) and `_agentao.cn/ask_user` (C.11).

use acp_runtime::{
    client::Workspace,
    prelude::*,
    schema::Method,
    values::{PermissionOption, PermissionOptionKind},
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    agent::{Agentao, Session},
    model::{Ask, Call, Message, Piece},
    options::{Config, Live, Preset, model_of},
    schema::{AskUserRequest, AskUserResponse, methods::AskUser},
};

/// The most answers of the model in one turn. A model that goes round in circles stops here.
const ANSWERS: usize = 100;

/// What the model is told if nobody answers its question.
const UNAVAILABLE: &str = "(user unavailable)";

/// A tool with its arguments.
#[derive(Deserialize)]
#[serde(tag = "name", content = "arguments", rename_all = "snake_case")]
enum Tool {
    ReadFile { file_path: String },
    WriteFile { file_path: String, content: String },
    RunShellCommand { command: String },
    AskUser { question: String },
}

impl Agentao {
    // C.4 session/update

    /// Lets the model answer the conversation, until it calls no more tools.
    pub(crate) async fn converse(&self, session: &mut Session, live: &Live, turn: &Turn<Config>) -> Result<StopReason> {
        for _ in 0..ANSWERS {
            let (config, credentials) = (turn.config(), live.credentials());
            let (mut text, mut calls) = (String::new(), Vec::new());
            for said in 0.. {
                let (model, conversation) = (model_of(config.model.id()), session.conversation.as_slice());
                let ask = Ask { model, credentials: credentials.as_ref(), conversation };
                match turn.until_cancelled(self.model.next(ask, said)).await? {
                    None => break,
                    Some(Piece::Text(piece)) => {
                        turn.message(piece.as_str()).await?;
                        text.push_str(&piece);
                    }
                    Some(Piece::Thought(thought)) => turn.thought(thought).await?,
                    Some(Piece::Call(call)) => calls.push(call),
                    Some(Piece::Error(why)) => {
                        turn.thought(format!("Error: {why}")).await?;
                        return Err(Error::internal_error(format!("the model failed: {why}")));
                    }
                }
            }
            if !text.is_empty() {
                session.conversation.push(Message::Model(text));
            }
            if calls.is_empty() {
                return Ok(StopReason::EndTurn);
            }
            for call in calls {
                let result = make(&call, session, turn).await?;
                session.conversation.push(Message::Called(call, result));
            }
        }
        Ok(StopReason::MaxTurnRequests)
    }
}

/// Makes a call of a tool, and returns what the model is told. A call that fails is no error of the turn.
async fn make(call: &Call, session: &Session, turn: &Turn<Config>) -> Result<String> {
    let kind = kind(&call.name);
    let shown = turn.tool_call(&call.name).kind(kind).raw_input(call.arguments.clone()).start().await?;
    let refused = match (turn.config().mode, kind) {
        (Preset::ReadOnly | Preset::Plan, ToolKind::Edit | ToolKind::Execute) => {
            Some("not in this mode: ask for another one")
        }
        (Preset::WorkspaceWrite, ToolKind::Execute) => {
            (!ask(&shown, &call.name).await?).then_some("rejected by the user")
        }
        _ => {
            shown.in_progress().await?;
            None
        }
    };
    if let Some(why) = refused {
        shown.fail(why).await?;
        return Ok(format!("Error: {why}"));
    }
    let tool = serde_json::from_value(json!({ "name": call.name, "arguments": call.arguments }));
    let workspace = turn.client().workspace(&session.cwd);
    let done = match tool {
        Ok(tool) => turn.until_cancelled(run(tool, &workspace, turn)).await?,
        Err(_) => Err(Error::invalid_params("there is no tool with this name and these arguments")),
    };
    let told = done.as_ref().map_or_else(|error| format!("Error: {}", error.message()), String::clone);
    shown.finish(done).await?;
    Ok(told)
}

/// The kind of a tool, by its name.
fn kind(tool: &str) -> ToolKind {
    match tool {
        "read_file" | "list_directory" => ToolKind::Read,
        "write_file" | "replace" => ToolKind::Edit,
        "glob" | "search_file_content" | "web_search" => ToolKind::Search,
        "run_shell_command" => ToolKind::Execute,
        "plan_save" | "plan_finalize" => ToolKind::Think,
        "web_fetch" => ToolKind::Fetch,
        _ => ToolKind::Other,
    }
}

async fn run(tool: Tool, workspace: &Workspace, turn: &Turn<Config>) -> Result<String> {
    match tool {
        Tool::ReadFile { file_path } => workspace.read(file_path).await,
        Tool::WriteFile { file_path, content } => {
            workspace.write(file_path, content).await?;
            Ok("written".to_owned())
        }
        Tool::RunShellCommand { command } => Ok(workspace.shell(command).start().await?.finish().await?.to_string()),
        Tool::AskUser { question } => Ok(ask_user(question, turn).await),
    }
}

// C.5 session/request_permission

/// Asks the user whether a tool may run. A cancel of the turn withdraws the question.
async fn ask(call: &ToolCallHandle, tool: &str) -> Result<bool> {
    use PermissionOptionKind::{AllowAlways, AllowOnce, RejectOnce};
    let options = [
        ("allow", "Allow", AllowOnce),
        ("allow_always", "Allow always", AllowAlways),
        ("reject", "Reject", RejectOnce),
    ];
    let options = options.map(|(id, name, kind)| PermissionOption::new(id, name, kind));
    Ok(call.permission().options(options.into()).remember(tool).ask().await?.is_allowed())
}

// C.11 _agentao.cn/ask_user

/// Asks the user, and returns the answer, or a text that says that there is none.
async fn ask_user(question: String, turn: &Turn<Config>) -> String {
    let request = AskUserRequest::new(turn.id().as_str(), question);
    let answer = turn.client().ext_request::<AskUserResponse>(AskUser::NAME, &request).await;
    let answer = answer.ok().and_then(|said| said.answer.or(said.text)).filter(|answer| !answer.is_empty());
    answer.unwrap_or_else(|| UNAVAILABLE.to_owned())
}
