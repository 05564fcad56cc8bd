use acp_runtime::prelude::*;

#[derive(Clone)]
struct Core;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, Shared(_core): Shared<Core>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
