#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("Hello.").await?;
        Ok(StopReason::EndTurn)
    }

    /// Reviews changes.
    ///
    /// Those of a branch.
    #[command(hint = "a branch")]
    async fn review(&self, branch: Arguments, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(branch.into_inner()).await?;
        Ok(StopReason::EndTurn)
    }

    /// Forgets the conversation.
    #[command(name = "clear", hidden)]
    async fn forget(&self, session: &mut Session) -> StopReason {
        *session = Session::default();
        StopReason::EndTurn
    }
}
