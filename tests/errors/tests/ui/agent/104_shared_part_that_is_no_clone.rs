use acp_runtime::prelude::*;

#[derive(Default)]
struct Core;

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(local, shared = Core)]
#[derive(Clone)]
struct Other;

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
