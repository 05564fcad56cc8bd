//! The agent with a store.

use std::sync::Arc;

use acp_runtime::{prelude::*, store::SessionStore};

use crate::{Config, Session, Work};

#[acp_agent(name = "bench-kept", config = Config, session = Session, store = store)]
struct Kept {
    work: Work,
    store: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Kept {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd }
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        self.work.turn(&request, &turn).await
    }
}

pub async fn serve(work: Work, store: Arc<dyn SessionStore>) -> Result<()> {
    Kept { work, store }.serve_stdio().await
}
