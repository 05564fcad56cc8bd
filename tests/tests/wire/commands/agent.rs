//! An agent with commands in two blocks, and the things that a test makes it do.

use acp_runtime::{
    agent::RequestMeta,
    prelude::*,
    values::{AvailableCommand, AvailableCommandsUpdate},
};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    #[config_option(default = false)]
    pub(super) brave: bool,
}

#[derive(Default)]
pub(super) struct Session {
    turns: u32,
}

#[acp_agent(config = Config, session = Session, capabilities(image), lenient(content))]
pub(super) struct Commanded;

#[acp_agent(parts(commands))]
impl Commanded {
    async fn new_session(&self) -> (SessionId, Session) {
        ("s".into(), Session::default())
    }

    async fn load_session(&self, replay: Replay) -> Result<Session> {
        replay.user("/fix it").await?;
        Ok(Session::default())
    }

    async fn resume_session(&self) -> Session {
        Session::default()
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, session: &mut Session, turn: Turn<Config>) -> Result<StopReason> {
        session.turns += 1;
        turn.message(format!("prompt {}: {}", session.turns, request.text())).await?;
        Ok(StopReason::EndTurn)
    }

    /// Mends what the tests
    /// complain of.
    ///
    /// Clients do not see this.
    #[command(hint = "what to mend")]
    async fn fix(
        &self,
        turn: Turn<Config>,
        request: PromptRequest,
        what: Arguments,
        session: &mut Session,
        id: &SessionId,
        RequestMeta(meta): RequestMeta,
    ) -> Result<StopReason> {
        session.turns += 1;
        let rest = request.prompt.len() - 1;
        let trace = meta.and_then(|meta| Some(meta.get("trace")?.as_str()?.to_owned())).unwrap_or_default();
        turn.message(format!("fix {}: {what:?} of {id}, {rest} more, {trace:?}", session.turns)).await?;
        turn.set(Config::BRAVE, true).await?;
        Ok(StopReason::MaxTokens)
    }
}

mod commands {
    use super::*;

    #[acp_agent(part = commands)]
    impl Commanded {
        /// Waits until it is cancelled.
        #[command(name = "wait_here")]
        async fn wait(&self, turn: Turn<Config>) -> Result<PromptResponse> {
            turn.cancelled().await;
            Ok(PromptResponse::new(StopReason::EndTurn))
        }

        /// Fails.
        #[command]
        async fn fail_now(&self) -> Result<StopReason> {
            Err(Error::invalid_params("not now"))
        }

        /// Is offered on demand.
        #[command(hidden)]
        async fn approve(&self) -> StopReason {
            StopReason::Refusal
        }

        /// Does as a test tells it, with the session of the params.
        #[ext("_acp-tests.dev/do")]
        async fn do_it(&self, DoIt { what, names }: DoIt, session: SessionHandle<Config>) -> Result<()> {
            let listed = || names.iter().map(|name| AvailableCommand::new(name.as_str(), "At run time"));
            match what.as_str() {
                "set" => session.commands(listed()).await,
                "show" => session.show_command(&names[0], true).await,
                "hide" => session.show_command(&names[0], false).await,
                _ => session.update(AvailableCommandsUpdate::new(listed().collect::<Vec<_>>())).await,
            }
        }
    }
}

#[derive(serde::Deserialize)]
pub(super) struct DoIt {
    what: String,
    names: Vec<String>,
}

/// An agent without commands of its own.
#[acp_agent]
#[derive(Clone)]
pub(super) struct Plain;

#[acp_agent]
impl Plain {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if let Some(("set", names)) = request.command() {
            turn.commands(names.split(',').map(|name| AvailableCommand::new(name, "At run time"))).await?;
        }
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}

/// A connection to the agent, without a session.
pub(super) async fn commanded() -> Peer {
    let mut peer = Peer::serve(Commanded);
    peer.initialize(all_capabilities()).await;
    peer
}

/// A connection with a session, whose announcement is read.
pub(super) async fn opened() -> Peer {
    let mut peer = commanded().await;
    peer.call("session/new", new()).await.expect("opened");
    assert_eq!(names(&peer.update().await), ["fix", "wait_here", "fail-now"]);
    peer
}

pub(super) fn new() -> Value {
    json!({ "cwd": "/project", "mcpServers": [] })
}

pub(super) fn load() -> Value {
    json!({ "sessionId": "s", "cwd": "/project", "mcpServers": [] })
}

/// The names in an update of commands.
pub(super) fn names(update: &Value) -> Vec<&str> {
    assert_eq!(update["sessionUpdate"], "available_commands_update", "{update}");
    let commands = update["availableCommands"].as_array().expect("the update has a list");
    commands.iter().map(|command| command["name"].as_str().expect("a command has a name")).collect()
}

/// Makes the agent do something to what the session offers. Returns the error's message.
pub(super) async fn make(peer: &mut Peer, what: &str, names: &[&str]) -> Result<(), String> {
    let params = json!({ "sessionId": "s", "what": what, "names": names });
    peer.call("_acp-tests.dev/do", params).await.map(drop).map_err(|refusal| refusal.message)
}

/// Prompts, and returns the text that the agent has sent.
pub(super) async fn told(peer: &mut Peer, prompt: Value) -> String {
    peer.call("session/prompt", json!({ "sessionId": "s", "prompt": prompt })).await.expect("it ends");
    let texts = peer.updates().into_iter().filter_map(|update| update["content"]["text"].as_str().map(str::to_owned));
    texts.collect::<Vec<_>>().concat()
}
