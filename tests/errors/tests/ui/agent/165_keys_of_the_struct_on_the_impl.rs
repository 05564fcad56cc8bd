use acp_runtime::prelude::*;

struct Session {
    turns: u32,
}

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(session = Session, turns = "steer")]
impl Coder {
    async fn new_session(&self) -> Session {
        Session { turns: 0 }
    }

    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.turns += 1;
        StopReason::EndTurn
    }

    async fn steer(&self) -> Steered {
        Steered::Queued
    }
}

fn main() {}
