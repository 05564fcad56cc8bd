use acp_runtime::prelude::*;

#[derive(Clone, Default)]
struct Core;

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(session = Session, shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn new_session(&self) -> (Core, Session) {
        (Core, Session { turns: 0 })
    }
}

fn main() {}
