use acp_runtime::prelude::*;

#[derive(Clone)]
struct Core;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, State(_core): State<Core>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
