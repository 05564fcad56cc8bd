use acp_runtime::prelude::*;

struct Session;

#[derive(Clone)]
struct Core;

#[acp_agent(session = Session, shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> Result<(SessionId, Session)> {
        Ok(("s".into(), Session))
    }

    async fn load_session(&self) -> OpenedSession<Session, Self> {
        OpenedSession::new(Session)
    }

    async fn resume_session(&self) -> (Session, Core) {
        (Session, Core)
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
