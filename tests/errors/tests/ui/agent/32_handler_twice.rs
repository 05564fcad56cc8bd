use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self) {}

    async fn cancel(&self) {}
}

fn main() {}
