use acp_runtime::prelude::*;

#[derive(Clone, Default)]
struct Core;

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, core: Core) {
        let _ = core;
    }
}

fn main() {}
