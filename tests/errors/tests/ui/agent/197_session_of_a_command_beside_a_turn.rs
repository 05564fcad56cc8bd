use acp_runtime::{FromCall, prelude::*};

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Coder;

#[derive(FromCall)]
struct Ask<'c> {
    session: &'c mut Session,
    turn: Turn<Coder>,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self, _ask: Ask<'_>) -> StopReason {
        StopReason::EndTurn
    }

    /// Takes back the last exchange.
    #[command(during_turns)]
    async fn undo(&self, _ask: Ask<'_>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
