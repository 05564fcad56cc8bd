use std::sync::Arc;

use acp_runtime::{prelude::*, store::{MemoryStore, SessionStore}};

#[acp_agent(store = Arc<dyn SessionStore>)]
#[derive(Clone)]
struct Coder {
    sessions: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn restore_session(&self) {}
}

#[acp_agent(store = MemoryStore)]
#[derive(Clone)]
struct Other {
    sessions: Arc<MemoryStore>,
}

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
