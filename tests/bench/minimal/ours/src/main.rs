//! The smallest agent on this runtime: it repeats the prompt. It exists to measure the cost of its build.

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
