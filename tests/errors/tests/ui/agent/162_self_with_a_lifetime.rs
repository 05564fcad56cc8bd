use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&'static self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("hello").await?;
        Ok(StopReason::EndTurn)
    }
}

fn main() {}
