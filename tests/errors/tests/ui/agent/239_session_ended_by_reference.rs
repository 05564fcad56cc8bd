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

    async fn session_ended(&self, session: &Session) {
        let _ = session;
    }
}

fn main() {}
