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
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn delete_session(&self, session: ClosedSession<Session>) {
        let _ = session.into_inner();
    }
}

fn main() {}
