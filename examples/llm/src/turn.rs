//! A prompt: requests to the model, until it asks for no more calls.

use acp_runtime::prelude::*;
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::server::{Answer, Call};
use crate::tools::{self, Tool};
use crate::{Config, Llm, Mode, Session};

/// The most requests of a turn. A model that goes round in circles stops here.
const REQUESTS: usize = 100;

impl Llm {
    /// Offers the models of the server.
    pub(crate) async fn offer_models(&self, session: &SessionHandle<Config>) -> Result<()> {
        let models = self.server.models().await?;
        Ok(session.update_config(|config| config.model.offer(models)).await?)
    }

    /// Adds a message of the user to the conversation, and lets the model answer.
    pub(crate) async fn converse(&self, session: &mut Session, turn: &Turn<Config>, said: Value) -> Result<StopReason> {
        session.servers.start(&session.cwd, turn).await?;
        // A prompt without an answer is not kept: the user has sent it again.
        session.messages.pop_if(|last| last["role"] == "user");
        session.messages.push(said);
        for _ in 0..REQUESTS {
            let (config, mut answer) = (turn.config(), Answer::default());
            let request = request(session, &config);
            let response = turn.until_cancelled(self.server.ask("chat/completions", Some(&request))).await??;
            let shown = turn.until_cancelled(answer.show(response, turn)).await.map_err(Into::into).flatten();
            // The calls of an answer that is cut have not arrived as a whole.
            answer.calls.retain(|_| shown.is_ok());
            session.messages.extend(answer.message());
            shown?;
            if let (Some(used), Some(size)) = (answer.tokens, config.model.data().and_then(|model| model.context)) {
                turn.usage(UsageUpdate::new(used, size)).await?;
            }
            if answer.calls.is_empty() {
                return Ok(answer.end());
            }
            // Every call has a result, even if the user cancels: else the server refuses the conversation.
            let first = session.messages.len();
            session.messages.extend(answer.calls.iter().map(|call| call.result("cancelled by the user")));
            for (at, call) in answer.calls.iter().enumerate() {
                session.messages[first + at] = call.result(&make(call, session, turn).await?);
            }
        }
        Ok(StopReason::MaxTurnRequests)
    }
}

/// The request for the model's next answer.
fn request(session: &Session, config: &Config) -> Value {
    let (task, tools) = match config.mode {
        Mode::Ask => ("Answer questions. Change nothing.", 2),
        Mode::Plan => ("Make a plan for the task, step by step. Change nothing.", 2),
        Mode::Code => ("Do the task: read, write, and run what tests it.", usize::MAX),
    };
    let system = format!("You are a coding agent in the folder {}. {task}", session.cwd.display());
    let messages = [&[json!({ "role": "system", "content": system })], &*session.messages].concat();
    let mut request = json!({ "model": config.model.id(), "messages": messages, "stream": true });
    request["stream_options"] = json!({ "include_usage": true });
    if config.model.data().and_then(|model| model.calls_tools) != Some(false) {
        let remote = session.servers.tools.iter().map(|tool| tool.definition.clone());
        request["tools"] = tools::definitions().into_iter().chain(remote).take(tools).collect();
    }
    request
}

/// Makes a call, if the user allows it, and returns what the model is told. A call that fails is no error of the turn: the model
/// learns of it, and tries something else.
async fn make(Call { name, arguments, .. }: &Call, session: &Session, turn: &Turn<Config>) -> Result<String> {
    let workspace = turn.client().workspace(&session.cwd);
    let tool = Tool::read(name, arguments, &session.servers);
    let (call, key) = match &tool {
        Ok(tool) => tool.shown(turn, &workspace).await,
        Err(_) => (turn.tool_call(name), None),
    };
    let call = call.name(name).raw_input(serde_json::from_str(arguments).unwrap_or_default()).start().await?;
    let work = async {
        if let Some(key) = key {
            ensure!(turn.config().mode == Mode::Code, "not in this mode: ask the user to select the mode `code`");
            ensure!(call.permission().remember(key).ask().await?.is_allowed(), "rejected by the user");
        }
        tool.context("call the tool again, with a JSON object as its arguments")?.run(&call, &workspace).await
    };
    let done = turn.until_cancelled(work).await?;
    let told = done.as_ref().map_or_else(|error| format!("it failed: {error:#}"), String::clone);
    call.finish(done.map(drop)).await?;
    Ok(told)
}

/// The words of the user, as a message of the conversation.
pub(crate) fn message(prompt: &[ContentBlock]) -> Value {
    match prompt {
        // Some servers know only texts.
        [ContentBlock::Text(text)] => json!({ "role": "user", "content": text.text }),
        blocks => json!({ "role": "user", "content": blocks.iter().map(part).collect::<Value>() }),
    }
}

fn part(block: &ContentBlock) -> Value {
    match block {
        ContentBlock::Text(text) => json!({ "type": "text", "text": text.text }),
        ContentBlock::Image(image) => {
            let url = format!("data:{};base64,{}", image.mime_type, image.data);
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
        // A file, or the name of one: the model reads the JSON.
        file => json!({ "type": "text", "text": json!(file).to_string() }),
    }
}
