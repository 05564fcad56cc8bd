//! The smallest agent, to measure what its build costs: it repeats what it is told.

use acp_runtime::prelude::*;

#[acp_agent(name = "minimal")]
#[derive(Clone)]
struct Minimal;

#[acp_agent]
impl Minimal {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Minimal.serve_stdio().await
}
