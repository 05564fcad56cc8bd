//! The cancel of one tool call or one terminal, while the session goes on.

use super::Session;
use crate::{
    Result,
    dialect::work::Work,
    values::{TerminalId, ToolCallId},
};

impl Session {
    /// Whether the agent lets the client [cancel](Self::cancel_tool_call) this tool call at present. Always false in version 1 of the
    /// protocol.
    pub fn can_cancel_tool_call(&self, id: impl Into<ToolCallId>) -> bool {
        self.can_cancel_alone(&Work::ToolCall(id.into()))
    }

    /// Whether the agent lets the client [cancel](Self::cancel_terminal) this terminal at present. Always false in version 1 of the
    /// protocol.
    pub fn can_cancel_terminal(&self, id: impl Into<TerminalId>) -> bool {
        self.can_cancel_alone(&Work::Terminal(id.into()))
    }

    /// Asks the agent to cancel one tool call, also one that goes on in the background. The turn goes on.
    ///
    /// The answer says that the agent will do so. The work has stopped when an update of the call has a final status: mostly
    /// `failed`, for which [`versions::original`](crate::versions::original) has `cancelled`.
    ///
    /// ```no_run
    /// use acp_client::{BackgroundWork, Result, Session, StateUpdate};
    ///
    /// async fn stop_all(session: &Session, state: &StateUpdate) -> Result<()> {
    ///     for work in state.background.iter().flatten() {
    ///         match work {
    ///             BackgroundWork::ToolCall(id) if session.can_cancel_tool_call(id.clone()) => {
    ///                 session.cancel_tool_call(id.clone()).await?;
    ///             }
    ///             BackgroundWork::Terminal(id) if session.can_cancel_terminal(id.clone()) => {
    ///                 session.cancel_terminal(id.clone()).await?;
    ///             }
    ///             _ => {}
    ///         }
    ///     }
    ///     Ok(())
    /// }
    /// # let _ = stop_all;
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotOffered`](crate::ErrorKind::NotOffered) if the call does not advertise `cancel` now, or the protocol has version
    /// 1: the agent is not asked. Or the agent refused, because the call ended meanwhile, is gone, or did not answer in time.
    ///
    /// See [Cancelling tool calls](https://agentclientprotocol.com/protocol/v2/tool-calls#cancelling-tool-calls).
    pub async fn cancel_tool_call(&self, id: impl Into<ToolCallId>) -> Result<()> {
        self.cancel_alone(Work::ToolCall(id.into())).await
    }

    /// Asks the agent to cancel the command of one terminal. The turn goes on, and so does a tool call that shows the terminal.
    ///
    /// The answer says that the agent will do so. The command has ended when an update of the terminal has its exit.
    ///
    /// ```no_run
    /// use acp_client::{Result, Session, TerminalUpdate};
    ///
    /// async fn stop(session: &Session, update: &TerminalUpdate) -> Result<()> {
    ///     if update.can_cancel == Some(true) {
    ///         session.cancel_terminal(update.terminal_id.clone()).await?;
    ///     }
    ///     Ok(())
    /// }
    /// # let _ = stop;
    /// ```
    ///
    /// # Errors
    ///
    /// As those of [`cancel_tool_call`](Self::cancel_tool_call).
    ///
    /// See [Cancelling terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#cancelling-terminals).
    pub async fn cancel_terminal(&self, id: impl Into<TerminalId>) -> Result<()> {
        self.cancel_alone(Work::Terminal(id.into())).await
    }

    fn can_cancel_alone(&self, work: &Work) -> bool {
        self.link().line.dialect().cancel_alone(self.id().as_str(), work).is_some()
    }

    async fn cancel_alone(&self, work: Work) -> Result<()> {
        let line = &self.link().line;
        let Some((method, params)) = line.dialect().cancel_alone(self.id().as_str(), &work) else {
            return Err(work.not_cancellable(line.version()));
        };
        self.check_open(method)?;
        self.link().request(method, &params).await?;
        Ok(())
    }
}
