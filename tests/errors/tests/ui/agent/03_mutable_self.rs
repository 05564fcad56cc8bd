use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&mut self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(self) {}

    async fn logout(self: std::sync::Arc<Self>) {}
}

fn main() {}
