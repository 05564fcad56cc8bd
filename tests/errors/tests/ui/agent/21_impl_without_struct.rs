use acp_runtime::prelude::*;

struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self) {}
}

fn main() {}
