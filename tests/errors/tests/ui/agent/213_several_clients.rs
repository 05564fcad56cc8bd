//! `clients = "many"` needs a store, and is one of two words.
use acp_runtime::prelude::*;

#[acp_agent(clients = "many")]
#[derive(Clone)]
struct Forgets;

#[acp_agent]
impl Forgets {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(clients = "all")]
#[derive(Clone)]
struct Misspelt;

#[acp_agent]
impl Misspelt {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
