use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, turn: Turn) -> Result<StopReason> {
        turn.message("Hello.").await?;
        Ok(StopReason::EndTurn)
    }
}

fn main() {}
