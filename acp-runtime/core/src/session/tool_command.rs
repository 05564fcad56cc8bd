//! A command as the work of a tool call.

use super::tool_call::ToolCallHandle;
use crate::{
    client::{CommandBuilder, CommandOutput},
    wire::Result,
};

impl ToolCallHandle {
    /// Runs a command of a [workspace](crate::client::Workspace) as the work of this call: starts it, shows its terminal under the
    /// call if the client runs it, and waits for its end. The feature `local` has this function.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn test<C: ConfigOptions>(turn: &Turn<C>, cwd: &str) -> Result<String> {
    ///     let call = turn.tool_call("cargo test").kind(ToolKind::Execute).start().await?;
    ///     let done = call.run(turn.client().workspace(cwd).shell("cargo test")).await?.to_string();
    ///     call.complete(&done).await?;
    ///     Ok(done)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The command cannot be started, the turn is cancelled, or the client answers with an error.
    pub async fn run(&self, command: CommandBuilder) -> Result<CommandOutput> {
        let command = command.start().await?;
        self.show(&command).await?;
        command.finish().await
    }
}
