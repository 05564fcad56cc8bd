use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts = accounts)]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = accounts)]
impl Coder {
    async fn cancel(&self) {}
}

fn main() {}
