//! The same agent without a store.

use acp_runtime::prelude::*;

use crate::{Config, Session, Work};

#[acp_agent(name = "bench-plain", config = Config, session = Session)]
struct Plain {
    work: Work,
}

#[acp_agent]
impl Plain {
    async fn new_session(&self, request: NewSessionRequest) -> Session {
        Session { cwd: request.cwd }
    }

    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        self.work.turn(&request, &turn).await
    }
}

pub async fn serve(work: Work) -> Result<()> {
    Plain { work }.serve_stdio().await
}
