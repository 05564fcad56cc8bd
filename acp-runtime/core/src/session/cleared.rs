//! An agent forgets what was said in a session that a store keeps.

use super::handle::SessionHandle;

impl<C> SessionHandle<C> {
    /// Drops what was said in the session, for a command such as `/clear`: from here on, [`history`](Self::history) and each load begin
    /// behind it, and the store has it no more. What the running turn has said stays, with its prompt. So do options, permissions, title
    /// and state, and so does what the client shows: the protocol has no message that takes it away.
    ///
    /// The end of the turn commits it together with the state, so a process that is killed before has dropped nothing. Outside of turns,
    /// it is committed soon. Without a store, there is nothing to drop.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(default = false)] brave: bool }
    /// async fn clear(messages: &mut Vec<String>, turn: Turn<Config>) -> Result<StopReason> {
    ///     messages.clear();
    ///     turn.clear_history();
    ///     turn.message("The conversation is forgotten.").await?;
    ///     Ok(StopReason::EndTurn)
    /// }
    /// ```
    pub fn clear_history(&self) {
        if let Some(recorder) = self.output().recorder() {
            recorder.clone().clear();
        }
    }
}
