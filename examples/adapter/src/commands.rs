//! The commands that clients offer behind a slash.

use acp_runtime::prelude::*;

use crate::{
    agent::{Adapter, Session},
    core::{Conversation, Op},
    options::Config,
    turn::show,
};

#[acp_agent(part = commands)]
impl Adapter {
    /// Write a file with instructions for this project
    #[command]
    async fn init(
        &self,
        Shared(core): Shared<Conversation>,
        session: &mut Session,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        show(Op::Input("Write AGENTS.md for this project".to_owned()), core, session, turn).await
    }

    /// Review the changes of the working tree
    #[command(hint = "what to look at")]
    async fn review(
        &self,
        what: Arguments,
        Shared(core): Shared<Conversation>,
        session: &mut Session,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        show(Op::Input(format!("Review the changes: {}", what.into_inner())), core, session, turn).await
    }

    /// Shorten the conversation
    #[command]
    async fn compact(
        &self,
        Shared(core): Shared<Conversation>,
        session: &mut Session,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        show(Op::Compact, core, session, turn).await
    }

    /// Take back the last exchange
    #[command]
    async fn undo(
        &self,
        Shared(core): Shared<Conversation>,
        session: &mut Session,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        show(Op::Undo, core, session, turn).await
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
