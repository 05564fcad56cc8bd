//! Content of a tool call that comes in pieces.

use super::{sending::Reporting, tool_call::ToolCallHandle, tool_content::ToolContent};

impl ToolCallHandle {
    /// Adds to the content that is shown under the call. It comes with the feature `v2`.
    ///
    /// On version 2, the client gets what is new. On version 1, it gets the whole content each time, so do not add many small pieces:
    /// the output of a command is better in a terminal. A store keeps the whole content.
    ///
    /// See [Content](https://agentclientprotocol.com/protocol/v2/tool-calls#content).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn search<C: ConfigOptions>(turn: &Turn<C>, pages: Vec<String>) -> Result<()> {
    ///     let call = turn.tool_call("Search").kind(ToolKind::Search).start().await?;
    ///     for page in pages {
    ///         call.append(page).await?;
    ///     }
    ///     call.complete(()).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// A path is not absolute, or the client is gone.
    pub fn append(&self, content: impl ToolContent) -> Reporting<'_> {
        let added = content.into_content().unwrap_or_default();
        Box::pin(async move {
            if added.is_empty() {
                return Ok(());
            }
            self.output().room_to_say().await?;
            self.add(added)
        })
    }
}
