use acp_runtime::prelude::*;

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, _session: &Session, _turn: Turn<Self>) -> StopReason {
        StopReason::EndTurn
    }

    /// Tries again.
    #[command]
    async fn again(&self, _session: Session) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _turn: Turn<Self>) {}

    async fn close_session(&self, _session: Option<ClosedSession<Session>>) {}
}

fn main() {}
