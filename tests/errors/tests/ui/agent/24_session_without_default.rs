use acp_runtime::prelude::*;

struct Session {
    turns: u32,
}

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.turns += 1;
        StopReason::EndTurn
    }
}

fn main() {}
