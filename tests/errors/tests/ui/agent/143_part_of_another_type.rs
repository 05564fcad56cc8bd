use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

struct Git;

#[acp_agent(part = git)]
impl Git {
    async fn cancel(&self) {}
}

fn main() {}
