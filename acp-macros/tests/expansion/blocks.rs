#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("Hello.").await?;
        Ok(StopReason::EndTurn)
    }
}

#[acp_agent(part = git)]
impl Coder {
    async fn cancel(&self) {}

    #[on_change(Config::MODEL)]
    async fn model(&self, change: Change<Model>) -> Result<()> {
        Ok(())
    }
}
