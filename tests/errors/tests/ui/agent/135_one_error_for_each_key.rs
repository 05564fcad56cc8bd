use acp_runtime::prelude::*;

#[acp_agent(lenient())]
#[derive(Clone)]
struct Strict;

#[acp_agent]
impl Strict {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(needs_auth = true)]
#[derive(Clone)]
struct Locked;

#[acp_agent]
impl Locked {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
