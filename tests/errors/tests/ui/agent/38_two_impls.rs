use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent]
impl Echo {
    async fn cancel(&self) {}
}

fn main() {}
