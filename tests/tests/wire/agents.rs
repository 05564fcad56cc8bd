//! The agents of these tests. `Scripted` has every handler and does what a prompt says. `Bare` has one handler.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use acp_runtime::{
    prelude::*,
    schema::v1::{SessionInfo, ToolCallStatus},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a session may do.
#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Mode {
    /// Answer only.
    Ask,
    /// Edit too.
    #[default]
    Code,
}

/// Who answers.
#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Model {
    /// Quick.
    #[default]
    Fast,
    /// Deep.
    Smart,
}

#[derive(ConfigOptions, Clone)]
pub(crate) struct Config {
    /// What the agent may do.
    #[config_option(category = "mode")]
    mode: Mode,
    /// Which model answers.
    #[config_option(category = "model")]
    model: Model,
    /// Ask nobody.
    #[config_option(kind = "boolean", default = false)]
    brave: bool,
}

/// Counts the calls of handlers, for tests that expect no call.
#[derive(Clone, Default)]
pub(crate) struct Count(Arc<AtomicUsize>);

impl Count {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn add_one(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Does what the prompt says: a word and its arguments.
#[acp_agent(name = "scripted", config = Config, session = Session, capabilities(audio),
    ext_listing = "_acp-tests.dev/extensions")]
#[derive(Default)]
pub(crate) struct Scripted {
    /// The number of calls of all handlers except those of extensions.
    pub(crate) handled: Count,
    pub(crate) pokes: Count,
}

#[derive(Default)]
pub(crate) struct Session {
    prompts: Vec<String>,
}

#[derive(Deserialize)]
struct Numbers {
    a: i64,
    b: i64,
}

#[derive(Serialize)]
struct Sum {
    sum: i64,
}

#[acp_agent]
impl Scripted {
    async fn new_session(&self, request: NewSessionRequest) -> Result<Session> {
        self.handled.add_one();
        assert!(request.cwd.is_absolute(), "the runtime lets relative paths through");
        Ok(Session::default())
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<Session> {
        self.handled.add_one();
        if request.session_id != "stored" {
            return Err(Error::session_not_found(request.session_id.as_ref()));
        }
        for number in 0..20 {
            replay.user(format!("question {number}")).await?;
            tokio::task::yield_now().await;
            replay.agent(format!("answer {number}")).await?;
        }
        Ok(Session::default())
    }

    async fn resume_session(&self, id: &SessionId) -> Result<Session> {
        self.handled.add_one();
        if *id == "stored" { Ok(Session::default()) } else { Err(Error::session_not_found(id.as_ref())) }
    }

    async fn list_sessions(&self, _request: ListSessionsRequest) -> Result<ListSessionsResponse> {
        self.handled.add_one();
        Ok(ListSessionsResponse::new(vec![SessionInfo::new("stored", "/")]))
    }

    async fn close_session(&self, _session: ClosedSession<Session>) -> Result<()> {
        self.handled.add_one();
        Ok(())
    }

    async fn delete_session(&self, _request: DeleteSessionRequest) -> Result<()> {
        self.handled.add_one();
        Ok(())
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        self.handled.add_one();
        let text = request.text();
        session.prompts.push(text.clone());
        let mut words = text.split(' ');
        match (words.next().unwrap_or_default(), words.next()) {
            ("count", Some(number)) => {
                for number in 0..number.parse().unwrap_or(0_usize) {
                    turn.message(number.to_string()).await?;
                }
            }
            ("stop", Some(reason)) => return Ok(serde_json::from_value(json!(reason))?),
            ("history", _) => turn.message(session.prompts.join("|")).await?,
            ("config", _) => {
                let config = turn.config();
                turn.message(format!("{:?} {:?} {}", config.mode, config.model, config.brave)).await?;
            }
            ("smart", _) => turn.update_config(|config| config.model = Model::Smart).await?,
            ("same", _) => turn.update_config(|config| config.model = Model::Fast).await?,
            ("ask-mode", _) => turn.update_config(|config| config.mode = Mode::Ask).await?,
            ("panic", _) => panic!("a secret of the agent"),
            ("error", _) => return Err(std::io::Error::other("a secret of the agent").into()),
            ("code", Some(code)) => return Err(Error::new(code.parse().unwrap_or(0), "as you wish")),
            ("wait", how) => return wait(&turn, how).await,
            ("tool", _) => tool(&turn).await?,
            ("read", Some(path)) => {
                let content = turn.client().read_text_file(Path::new(path)).await?;
                turn.message(content).await?;
            }
            ("write", Some(path)) => turn.client().write_text_file(Path::new(path), "written").await?,
            ("terminal", how) => terminal(&turn, how).await?,
            ("call", _) => {
                let answer: Value = turn.client().ext_request("_acp-tests.dev/call", &json!({ "question": 1 })).await?;
                turn.message(answer.to_string()).await?;
            }
            _ => turn.message(text.as_str()).await?,
        }
        Ok(StopReason::EndTurn)
    }

    /// Adds two numbers.
    #[ext("_acp-tests.dev/add")]
    async fn add(&self, numbers: Numbers) -> Result<Sum> {
        Ok(Sum { sum: numbers.a + numbers.b })
    }

    /// Sets an option of the session that the params name.
    #[ext("_acp-tests.dev/dare")]
    async fn dare(&self, session: SessionHandle<Config>, params: Value) -> Result<Value> {
        session.update_config(|config| config.brave = params["brave"] == true).await?;
        Ok(json!({ "sessionId": session.id() }))
    }

    /// Fails as authors do who use `anyhow`.
    #[ext("_acp-tests.dev/locked")]
    async fn locked(&self) -> anyhow::Result<()> {
        use anyhow::Context;
        Err(Error::auth_required()).context("a secret")
    }

    /// Never answers by itself.
    #[ext("_acp-tests.dev/forever")]
    async fn forever(&self) -> Result<()> {
        std::future::pending().await
    }

    /// Is counted.
    #[ext(notification = "_acp-tests.dev/poke")]
    async fn poke(&self, times: Vec<u32>) -> Result<()> {
        for _ in times {
            self.pokes.add_one();
        }
        Ok(())
    }
}

/// Sends a message, waits for the cancellation, and then ends as `how` says.
async fn wait(turn: &Turn<Config>, how: Option<&str>) -> Result<StopReason> {
    turn.message("waiting").await?;
    match how {
        // Ends as authors do who use `until_cancelled`.
        None => {
            turn.until_cancelled(std::future::pending::<()>()).await?;
            Ok(StopReason::EndTurn)
        }
        Some(how) => {
            turn.cancelled().await;
            turn.message("last words").await?;
            match how {
                "and-fail" => Err(Error::internal_error("aborted")),
                "and-panic" => panic!("aborted"),
                _ => Ok(StopReason::EndTurn),
            }
        }
    }
}

async fn tool(turn: &Turn<Config>) -> Result<()> {
    let call = turn.tool_call("Run it").kind(ToolKind::Execute).start().await?;
    if call.ask_permission().await?.is_allowed() { call.complete("done").await } else { call.fail("not allowed").await }
}

async fn terminal(turn: &Turn<Config>, how: Option<&str>) -> Result<()> {
    let terminal = turn.client().terminal("make").args(["all"]).start().await?;
    match how {
        Some("dropped") => {}
        Some("failing") => return Err(Error::internal_error("the build system is missing")),
        Some("waiting") => {
            terminal.wait_for_exit().await?;
        }
        _ => {
            let call = turn.tool_call("Run make").content(terminal.id().clone()).start().await?;
            let status = terminal.wait_for_exit().await?;
            let output = terminal.output().await?.output;
            terminal.release().await?;
            let status = match status.exit_code {
                Some(0) => ToolCallStatus::Completed,
                _ => ToolCallStatus::Failed,
            };
            turn.message(format!("{output} {status:?}")).await?;
            call.complete(()).await?;
        }
    }
    Ok(())
}

/// An agent with one handler, without options and without a session type.
#[acp_agent]
#[derive(Clone)]
pub(crate) struct Bare;

#[acp_agent]
impl Bare {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}
