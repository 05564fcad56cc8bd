//! The agent that several tests drive: it does what its prompt says.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use acp_runtime::prelude::*;
use serde_json::Value;

#[derive(ConfigOptions, Clone, PartialEq)]
pub(crate) struct Config {
    /// Run tools without asking first.
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(title = "Subject", config = Config)]
#[derive(Clone, Default)]
pub(crate) struct Subject {
    /// Whether a request was withdrawn.
    pub(crate) withdrawn: Arc<AtomicBool>,
}

#[acp_agent]
impl Subject {
    async fn new_session(&self) {}

    async fn load_session(&self, replay: Replay) -> Result<()> {
        replay.user("before").await?;
        replay.agent("and its answer").await
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        match &*request.text() {
            "ask" => {
                let call = turn.tool_call("dangerous").start().await?;
                let permission = call.ask_permission().await?;
                turn.message(if permission.is_allowed() { "allowed" } else { "refused" }).await?;
            }
            "wait" => {
                turn.message("waiting").await?;
                turn.cancelled().await;
                return Ok(StopReason::Cancelled);
            }
            "fail" => return Err(Error::internal_error("as asked")),
            text => {
                for word in text.split(' ') {
                    turn.message(word).await?;
                }
            }
        }
        Ok(StopReason::EndTurn)
    }

    #[ext("_test/echo")]
    async fn echo(&self, params: Value) -> Value {
        params
    }

    #[ext("_test/hang")]
    async fn hang(&self) -> Value {
        let _told = Told(self.withdrawn.clone());
        std::future::pending().await
    }
}

/// Records that a handler was dropped.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
