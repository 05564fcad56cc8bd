use acp_runtime::prelude::*;

#[acp_agent(turns = queue)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

}

fn main() {}
