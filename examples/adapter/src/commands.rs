//! The commands that clients offer behind a slash.

use acp_runtime::prelude::*;

use crate::{agent::Adapter, core::Op, options::Config, turn::Ask};

#[acp_agent(part = commands)]
impl Adapter {
    /// Write a file with instructions for this project
    #[command]
    async fn init(&self, ask: Ask<'_>) -> Result<StopReason> {
        ask.show(Op::Input("Write AGENTS.md for this project".to_owned())).await
    }

    /// Review the changes of the working tree
    #[command(hint = "what to look at")]
    async fn review(&self, what: Arguments, ask: Ask<'_>) -> Result<StopReason> {
        ask.show(Op::Input(format!("Review the changes: {}", what.into_inner()))).await
    }

    /// Shorten the conversation
    #[command]
    async fn compact(&self, ask: Ask<'_>) -> Result<StopReason> {
        ask.show(Op::Compact).await
    }

    /// Take back the last exchange
    #[command]
    async fn undo(&self, ask: Ask<'_>) -> Result<StopReason> {
        ask.show(Op::Undo).await
    }

    /// Sign out
    #[command(name = "logout")]
    async fn sign_out(&self, turn: Turn<Config>) -> Result<StopReason> {
        self.core.account.send_replace(None);
        turn.client().set_authenticated(false);
        turn.message("You are signed out.").await?;
        Ok(StopReason::EndTurn)
    }
}
