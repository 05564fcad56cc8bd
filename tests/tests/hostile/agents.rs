//! The agent of these tests, and an agent whose own code fails at unusual places.

use std::sync::atomic::{AtomicUsize, Ordering};

use acp_runtime::{
    prelude::*,
    schema::v1::{ContentBlock, SessionUpdate},
};
use serde::{Deserialize, Deserializer};

/// Wherever a client sends this text, no error may repeat it.
pub(crate) const MARK: &str = "tell-nobody-7f3a";

/// Does what the prompt says.
#[acp_agent]
#[derive(Clone)]
pub(crate) struct Endurer {
    /// Answer in upper case.
    #[config_option(kind = "boolean", default = false)]
    loud: bool,
}

#[acp_agent]
impl Endurer {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let mut words = text.split(' ');
        match (words.next().unwrap_or_default(), words.next()) {
            ("hang", _) => turn.until_cancelled(std::future::pending::<()>()).await?,
            ("ask", _) => {
                let call = turn.tool_call("Run it").start().await?;
                if call.ask_permission().await?.is_allowed() {
                    call.complete("ran").await?
                } else {
                    call.fail("no").await?
                }
            }
            ("flood", Some(count)) => {
                let piece = "x".repeat(1000);
                for _ in 0..count.parse().unwrap_or(0_usize) {
                    turn.message(piece.as_str()).await?;
                }
            }
            ("panic", _) => panic!("{MARK}"),
            ("spawned-panic", _) => drop(tokio::spawn(async { panic!("{MARK}") }).await),
            ("spawned-error", _) => drop(tokio::spawn(async { Err::<(), _>(Error::internal_error(MARK)) }).await),
            ("late", _) => {
                let (session, piece) = (turn.session().clone(), ContentBlock::from("late"));
                tokio::spawn(async move {
                    tokio::task::yield_now().await;
                    session.message(piece).await
                });
            }
            _ => turn.message(if turn.config().loud { text.to_uppercase() } else { text }).await?,
        }
        Ok(StopReason::EndTurn)
    }

    /// Panics.
    #[ext("_hostile.dev/panic")]
    async fn panic(&self) -> Result<()> {
        panic!("{MARK}")
    }

    /// Panics after a wait.
    #[ext("_hostile.dev/panic-later")]
    async fn panic_later(&self) -> Result<()> {
        tokio::task::yield_now().await;
        panic!("{MARK}")
    }

    /// Fails with an error that quotes the params.
    #[ext("_hostile.dev/decode")]
    async fn decode(&self, _params: Exploding) -> Result<()> {
        Ok(())
    }

    /// Panics in a notification, which has no answer.
    #[ext(notification = "_hostile.dev/poke")]
    async fn poke(&self) -> Result<()> {
        panic!("{MARK}")
    }
}

/// Cannot be decoded without a panic.
struct Exploding;

impl<'de> Deserialize<'de> for Exploding {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        panic!("{MARK}")
    }
}

pub(crate) fn endurer() -> Endurer {
    Endurer::with_default_options()
}

/// Every second session of this agent cannot be made.
#[acp_agent(session = Fragile)]
#[derive(Clone)]
pub(crate) struct Unreliable;

pub(crate) struct Fragile;

impl Default for Fragile {
    fn default() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        assert!(MADE.fetch_add(1, Ordering::Relaxed).is_multiple_of(2), "{MARK}");
        Self
    }
}

#[acp_agent]
impl Unreliable {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.update(SessionUpdate::Plan(acp_runtime::schema::v1::Plan::new(vec![]))).await?;
        Ok(StopReason::EndTurn)
    }
}
