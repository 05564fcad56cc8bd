//! Two agents that take prompts during a turn: one lets them wait, one decides about each.

use std::sync::Arc;

use acp_runtime::{agent::RequestMeta, prelude::*, session::TurnHandle};
use serde_json::Value;
use tokio::sync::Semaphore;

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    #[config_option(values("low", "high"), default = "low")]
    effort: String,
}

/// The gate behind which turns and `steer` wait. The test opens it for one of them at a time.
#[derive(Clone)]
pub(super) struct Gate(Arc<Semaphore>);

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }
}

impl Gate {
    pub(super) fn open_once(&self) {
        self.0.add_permits(1);
    }

    pub(super) async fn pass(&self) {
        self.0.acquire().await.expect("the gate is never closed").forget();
    }
}

async fn act(gate: &Gate, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
    let text = request.text();
    turn.message(text.as_str()).await?;
    match text.as_str() {
        "wait" => turn.cancelled().await,
        "gate" => turn.until_cancelled(gate.pass()).await?,
        // Notices no cancellation.
        "stubborn" => gate.pass().await,
        "effort" => turn.message(turn.config().effort.as_str()).await?,
        "fail" => {
            gate.pass().await;
            return Err(Error::new(-7, "as asked"));
        }
        "panic" => {
            gate.pass().await;
            panic!("as asked");
        }
        "tokens" => {
            gate.pass().await;
            return Ok(StopReason::MaxTokens);
        }
        _ => {}
    }
    Ok(StopReason::EndTurn)
}

#[acp_agent(config = Config, turns = "queue")]
#[derive(Default)]
pub(super) struct Queueing {
    pub(super) gate: Gate,
}

#[acp_agent]
impl Queueing {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        act(&self.gate, request, turn).await
    }

    async fn load_session(&self) {}

    async fn close_session(&self) {}

    async fn delete_session(&self) {}
}

/// Small form: the options are the agent's own fields.
#[acp_agent(turns = "queue")]
#[derive(Clone)]
pub(super) struct Small {
    #[config_option(values("low", "high"), default = "low")]
    pub(super) effort: String,
    pub(super) gate: Gate,
}

#[acp_agent]
impl Small {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(self.effort.as_str()).await?;
        self.gate.pass().await;
        Ok(StopReason::EndTurn)
    }
}

#[acp_agent(config = Config, turns = "steer")]
#[derive(Default)]
pub(super) struct Steering {
    pub(super) gate: Gate,
    /// Holds the handler `steer` up.
    pub(super) thought: Gate,
    /// Opened when a handle of a turn tells of a cancel.
    pub(super) noticed: Gate,
}

#[acp_agent(parts(beside))]
impl Steering {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        act(&self.gate, request, turn).await
    }

    async fn close_session(&self) {}
}

#[acp_agent(part = beside)]
impl Steering {
    /// Does what the prompt says.
    async fn steer(
        &self,
        request: PromptRequest,
        turn: TurnHandle<Config>,
        id: &SessionId,
        RequestMeta(meta): RequestMeta,
    ) -> Result<Steered> {
        assert_eq!(turn.id(), id);
        assert!(!turn.is_cancelled());
        let text = request.text();
        match text.as_str() {
            "join" => Ok(Steered::Joined),
            "told" => {
                turn.message(format!("{:?}", meta.map(Value::Object))).await?;
                Ok(Steered::Joined)
            }
            "join later" => {
                self.thought.pass().await;
                Ok(Steered::Joined)
            }
            "queue later" => {
                self.thought.pass().await;
                Ok(Steered::Queued)
            }
            "watch" => {
                let noticed = self.noticed.clone();
                tokio::spawn(async move {
                    turn.cancelled().await;
                    assert!(turn.is_cancelled());
                    noticed.open_once();
                });
                Ok(Steered::Joined)
            }
            "refuse" => Err(Error::new(-8, "as asked")),
            "panic" => panic!("as asked"),
            _ => Ok(Steered::Queued),
        }
    }
}
