//! The small form: an agent that carries its own options.
use acp_runtime::prelude::*;

/// Repeats what it is told.
#[acp_agent]
#[derive(Clone)]
struct Echo {
    /// Answer in upper case.
    #[config_option(kind = "boolean", default = false)]
    shout: bool,

    /// How often to repeat.
    #[config_option(kind = "select", values("1" = "Once", "2" = "Twice"), default = "1")]
    times: String,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = if self.shout { request.text().to_uppercase() } else { request.text() };
        turn.message(text.repeat(self.times.parse().unwrap_or(1))).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Echo::with_default_options().serve_stdio().await
}
