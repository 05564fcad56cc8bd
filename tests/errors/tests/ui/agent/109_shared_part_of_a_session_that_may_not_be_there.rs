use acp_runtime::prelude::*;

#[derive(Clone, Default)]
struct Core;

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self, Shared(_core): Shared<Core>) {}

    async fn delete_session(&self, Shared(_core): Shared<Core>) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
