/// Repeats what it is told.
#[acp_agent]
#[derive(Clone)]
struct Echo {
    /// Answer in upper case.
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}
