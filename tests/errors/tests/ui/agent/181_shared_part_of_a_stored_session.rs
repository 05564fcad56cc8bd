use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};

#[derive(Clone)]
struct Core;

#[acp_agent(shared = Core, store = store)]
#[derive(Clone)]
struct Coder {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> ((), Core) {
        ((), Core)
    }

    async fn prompt(&self, Shared(_core): Shared<Core>) -> StopReason {
        StopReason::EndTurn
    }
}

// Sessions neither begin nor open again, and one handler is named at a time.
#[acp_agent(shared = Core, store = store)]
#[derive(Clone)]
struct Other {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

// The state asks for the same handler.
#[derive(serde::Serialize)]
struct Session;

#[acp_agent(session = Session, shared = Core, store = store)]
#[derive(Clone)]
struct Third {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Third {
    async fn new_session(&self) -> (Session, Core) {
        (Session, Core)
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
