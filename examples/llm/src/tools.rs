//! The tools of the model. The agent's own use the files and terminals of the client if it has some, or else those of this
//! process. The others are those of MCP servers.

use std::{path::Path, time::Duration};

use acp_runtime::{
    client::Workspace,
    prelude::*,
    session::{ToolCallBuilder, fenced, shortened},
};
use anyhow::{Context, Result, bail};
use process_wrap::tokio::{CommandWrap, KillOnDrop};
use rmcp::transport::{TokioChildProcess, streamable_http_client as http};
use rmcp::{Peer, RoleClient, ServiceExt, model::CallToolRequestParams, model::JsonObject, service::RunningService};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{process::Command, time::timeout};

use crate::Config;

/// The model gets so many bytes of a result.
const LIMIT: usize = 32 * 1024;

/// A call of a tool. The model reads these comments.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "name", content = "arguments", rename_all = "snake_case")]
pub(crate) enum Tool {
    /// Reads a text file: at most 2000 lines, or as many as you say, beginning with a line.
    ReadFile { path: String, line: Option<u32>, limit: Option<u32> },
    /// Finds the lines of files that match an extended regular expression of POSIX.
    Search { pattern: String, path: Option<String> },
    /// Writes a text file as a whole.
    WriteFile { path: String, content: String },
    /// Runs a line of the shell. Without a time limit in seconds, it has two minutes.
    RunCommand { command: String, seconds: Option<u64> },
    #[serde(skip)]
    Remote(Box<Remote>, JsonObject),
}

/// The agent's own tools in the form of the chat API. The first two change nothing.
pub(crate) fn definitions() -> Vec<Value> {
    let settings = SchemaSettings::default().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<Tool>().to_value();
    let tools = schema["oneOf"].as_array().into_iter().flatten().map(|tool| (tool, &tool["properties"]));
    tools.map(|(tool, of)| definition(&of["name"]["const"], &tool["description"], &of["arguments"])).collect()
}

pub(crate) fn definition(name: &Value, description: &Value, parameters: &Value) -> Value {
    json!({ "type": "function", "function": { "name": name, "description": description, "parameters": parameters } })
}

impl Tool {
    /// Reads a call of the model. The error is for the model.
    pub(crate) fn read(name: &str, arguments: &str, servers: &Servers) -> serde_json::Result<Self> {
        let arguments: JsonObject = serde_json::from_str(if arguments.is_empty() { "{}" } else { arguments })?;
        match servers.tools.iter().find(|tool| tool.name == name) {
            Some(remote) => Ok(Self::Remote(Box::new(remote.clone()), arguments)),
            None => serde_json::from_value(json!({ "name": name, "arguments": arguments })),
        }
    }

    /// The call as the user sees it, and the key of its permission: the files of a folder, a command, or a tool of a server. A
    /// call that changes nothing has no key.
    pub(crate) async fn shown(&self, turn: &Turn<Config>, files: &Workspace) -> (ToolCallBuilder, Option<String>) {
        let call = |title: &str, kind| turn.tool_call(title).kind(kind);
        let at = |path: &String| files.cwd().join(path);
        match self {
            Self::ReadFile { path, .. } => (call(&format!("Read {path}"), ToolKind::Read).location(at(path)), None),
            Self::Search { pattern, .. } => (call(&format!("Search for {pattern}"), ToolKind::Search), None),
            Self::WriteFile { path, content } => {
                let diff = Diff::new(at(path), &**content).old_text(files.read(path).await.ok());
                let call = call(&format!("Write {path}"), ToolKind::Edit).location(&diff.path).content(diff);
                (call, Some(format!("write into {:?}", Path::new(path).parent())))
            }
            Self::RunCommand { command, .. } => (call(command, ToolKind::Execute), Some(format!("run {command}"))),
            Self::Remote(remote, _) => (call(&remote.name, ToolKind::Other), Some(remote.name.clone())),
        }
    }

    /// Does the work, shows the user the result, and returns what the model is told.
    pub(crate) async fn run(self, call: &ToolCallHandle, workspace: &Workspace) -> Result<String> {
        let text = match self {
            Self::ReadFile { path, line, limit } => {
                workspace.read_lines(path, line.unwrap_or(1), limit.unwrap_or(2000)).await?
            }
            Self::Search { pattern, path } => {
                let grep = ["-rnIE", "--exclude-dir=.git", "-e", &pattern, "--", path.as_deref().unwrap_or(".")];
                call.run(workspace.command("grep").args(grep).output_byte_limit(LIMIT as u64 / 2)).await?.to_string()
            }
            Self::WriteFile { path, content } => {
                workspace.write(path, content).await?;
                return Ok("written".to_owned());
            }
            Self::RunCommand { command, seconds } => {
                let command = workspace.shell(command).timeout(Duration::from_secs(seconds.unwrap_or(120)));
                call.run(command.output_byte_limit(LIMIT as u64 / 2)).await?.to_string()
            }
            Self::Remote(remote, arguments) => remote.call(arguments).await?,
        };
        let text = shortened(text, LIMIT);
        call.show(fenced(&text)).await?;
        Ok(text)
    }
}

/// A server has so much time to start, and a tool to answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// The MCP servers that the client names. They start with the first prompt; one that has died starts again with the next.
#[derive(Default)]
pub(crate) struct Servers {
    pub(crate) waiting: Vec<McpServer>,
    pub(crate) running: Vec<(McpServer, RunningService<RoleClient, ()>)>,
    pub(crate) tools: Vec<Remote>,
}

/// A tool of a server that runs.
#[derive(Clone)]
pub(crate) struct Remote {
    /// The name for the model. The chat API allows few characters.
    pub(crate) name: String,
    pub(crate) definition: Value,
    tool: String,
    server: Peer<RoleClient>,
}

impl Servers {
    /// Starts the servers that do not run. The turn goes on without one that fails.
    pub(crate) async fn start(&mut self, cwd: &Path, turn: &Turn<Config>) -> Result<()> {
        let died = self.running.extract_if(.., |(_, server)| server.is_transport_closed());
        self.waiting.extend(died.map(|(declared, _)| declared));
        self.tools.retain(|tool| !tool.server.is_transport_closed());
        while let Some(declared) = self.waiting.last().cloned() {
            let started = turn.until_cancelled(timeout(PATIENCE, self.start_one(&declared, cwd))).await?;
            self.waiting.pop();
            if let Err(error) = started.context("it does not answer").flatten() {
                let failed = format!("The MCP server `{}` does not start: correct the settings", declared.name());
                turn.message(format!("{failed} ({error:#}).\n\n")).await?;
            }
        }
        Ok(())
    }

    async fn start_one(&mut self, declared: &McpServer, cwd: &Path) -> Result<()> {
        let server = match declared {
            McpServer::Stdio(server) => {
                let mut command = CommandWrap::from(Command::from(server.to_command()));
                command.wrap(KillOnDrop).command_mut().current_dir(cwd);
                #[cfg(unix)] // What it starts ends with it.
                command.wrap(process_wrap::tokio::ProcessGroup::leader());
                ().serve(TokioChildProcess::new(command)?).await?
            }
            McpServer::Http(server) => {
                let headers = server.headers.iter().map(|header| Ok((header.name.parse()?, header.value.parse()?)));
                let config = http::StreamableHttpClientTransportConfig::with_uri(&*server.url);
                let config = config.custom_headers(headers.collect::<Result<_>>()?);
                ().serve(http::StreamableHttpClientTransport::from_config(config)).await?
            }
            _ => bail!("this agent does not know its transport"),
        };
        for tool in server.list_all_tools().await? {
            let name = format!("{}__{}", declared.name(), tool.name);
            let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
            let definition = definition(&json!(name), &json!(tool.description), &json!(tool.input_schema));
            self.tools.push(Remote { name, definition, tool: tool.name.into(), server: server.peer().clone() });
        }
        self.running.push((declared.clone(), server));
        Ok(())
    }
}

impl Remote {
    /// Calls the tool, and returns its texts.
    pub(crate) async fn call(self, arguments: JsonObject) -> Result<String> {
        let request = CallToolRequestParams::new(self.tool).with_arguments(arguments);
        let late = "the MCP server does not answer in five minutes, or its answer has more than 16 MiB";
        let answer = timeout(PATIENCE, self.server.call_tool(request)).await.context(late)?;
        let result = answer.context("the MCP server fails; if it has ended, the next prompt starts it again")?;
        let told: Vec<_> = result.content.iter().filter_map(|block| Some(&*block.as_text()?.text)).collect();
        if result.is_error == Some(true) { bail!(told.join("\n")) } else { Ok(told.join("\n")) }
    }
}
