use acp_runtime::prelude::*;

#[acp_agent(needs_auth)]
#[derive(Clone)]
struct Locked;

#[acp_agent]
impl Locked {
    async fn authenticate(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
