//! The agent under test, as an author would write it. The programs of stdio and of HTTP serve it.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use acp_runtime::prelude::*;

/// The session's options.
#[derive(ConfigOptions, Clone)]
pub struct Config {
    #[config_option(category = "model")]
    model: Model,
    #[config_option(category = "thought_level")]
    effort: Effort,
    #[config_option(name = "Brave mode", default = false)]
    brave: bool,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
pub enum Model {
    Fast,
    #[default]
    Smart,
}

#[derive(SelectValue, Clone, Copy, Debug, Default, PartialEq)]
pub enum Effort {
    Low,
    #[default]
    Medium,
    High,
}

/// How many sessions there are.
pub static SESSIONS: AtomicUsize = AtomicUsize::new(0);

/// The state that a session keeps.
pub struct Session {
    _cwd: PathBuf,
}

impl Drop for Session {
    fn drop(&mut self) {
        SESSIONS.fetch_sub(1, Ordering::Relaxed);
    }
}

#[acp_agent(name = "bench-ours", config = Config, session = Session, capabilities(image))]
pub struct Bench;

#[acp_agent]
impl Bench {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        SESSIONS.fetch_add(1, Ordering::Relaxed);
        Session { _cwd: request.cwd }
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let Some(ContentBlock::Text(first)) = request.prompt.first() else { return Ok(StopReason::EndTurn) };
        let mut words = first.text.splitn(3, ' ');
        let yields = match words.next() {
            Some("stream") => false,
            Some("yield") => true,
            _ => return Ok(StopReason::EndTurn),
        };
        let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let (updates, bytes): (usize, usize) = (number(), number());
        let text = "x".repeat(bytes);
        for _ in 0..updates {
            if turn.is_cancelled() {
                break;
            }
            turn.message(text.as_str()).await?;
            if yields {
                tokio::task::yield_now().await;
            }
        }
        Ok(StopReason::EndTurn)
    }
}
