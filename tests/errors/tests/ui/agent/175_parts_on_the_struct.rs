use acp_runtime::prelude::*;

#[acp_agent(parts(git))]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git)]
impl Coder {
    async fn cancel(&self) {}
}

fn main() {}
