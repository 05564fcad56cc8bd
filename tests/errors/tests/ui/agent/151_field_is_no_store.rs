use std::sync::Arc;

use acp_runtime::{prelude::*, store::MemoryStore};

#[acp_agent(store = path)]
#[derive(Clone)]
struct Coder {
    path: String,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(store = store)]
#[derive(Clone)]
struct Other {
    store: Arc<Vec<MemoryStore>>,
}

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
