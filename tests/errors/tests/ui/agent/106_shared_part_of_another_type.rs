use acp_runtime::prelude::*;

#[derive(Clone)]
struct Core;

#[derive(Clone)]
struct Store;

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> ((), Store) {
        ((), Store)
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
