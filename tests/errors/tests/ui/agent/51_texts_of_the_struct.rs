use acp_runtime::prelude::*;

#[acp_agent(ext_listing = "", local = true, name = coder)]
#[derive(Clone)]
struct Echo;

#[acp_agent(local)]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
