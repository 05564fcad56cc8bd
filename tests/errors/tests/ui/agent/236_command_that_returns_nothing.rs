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

    /// Forgets the conversation
    #[command]
    async fn clear(&self, session: &mut Session) {
        session.turns = 0;
    }
}

fn main() {}
