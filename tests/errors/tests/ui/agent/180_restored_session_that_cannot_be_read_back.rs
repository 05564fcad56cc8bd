use std::sync::Arc;

use acp_runtime::{
    agent::{Restored, Roots},
    prelude::*,
    store::SessionStore,
};

#[derive(Default, serde::Serialize)]
struct Session {
    history: Vec<String>,
}

#[acp_agent(session = Session, store = store)]
#[derive(Clone)]
struct Coder {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.history.clear();
        StopReason::EndTurn
    }

    async fn restore_session(&self, Restored(kept): Restored<Session>, _roots: Roots) -> Session {
        kept
    }
}

// The only parameter, in an agent on one thread.
#[acp_agent(local, session = Session, store = store)]
#[derive(Clone)]
struct Other {
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Other {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn restore_session(&self, Restored(kept): Restored<Session>) -> Result<Session> {
        Ok(kept)
    }
}

fn main() {}
