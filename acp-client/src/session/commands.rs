//! The slash commands of a session, by the agent's last report.

use super::Session;
use crate::values::AvailableCommand;

impl Session {
    /// The slash commands that the agent offers, by its last report. They are empty until the first report, which often
    /// follows the answer that opens the session: [`next_update`](Self::next_update) waits for it.
    ///
    /// To run a command, [prompt](Self::prompt) with `/`, its name, and the arguments. A command without
    /// [`input`](AvailableCommand::input) takes none.
    ///
    /// See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).
    ///
    /// ```no_run
    /// # async fn run(session: acp_client::Session) -> acp_client::Result<()> {
    /// for command in session.commands() {
    ///     println!("/{}  {}", command.name, command.description);
    /// }
    /// let turn = session.prompt("/fix the build").await?;
    /// # drop(turn);
    /// # Ok(())
    /// # }
    /// ```
    pub fn commands(&self) -> Vec<AvailableCommand> {
        self.entry().settings().commands.clone().unwrap_or_default()
    }

    /// As [`Self::commands`]; `None` before the first report.
    #[cfg(feature = "testing")]
    pub(crate) fn reported_commands(&self) -> Option<Vec<AvailableCommand>> {
        self.entry().settings().commands.clone()
    }
}
