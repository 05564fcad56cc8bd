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

    /// Takes back the last exchange.
    #[command(during_turns)]
    async fn undo(&self, _session: &mut Session, _turn: Turn<Self>) -> StopReason {
        StopReason::EndTurn
    }

    /// Is declared twice.
    #[command(during_turns, during_turns)]
    async fn twice(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Has a value.
    #[command(during_turns = true)]
    async fn valued(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Is misspelt.
    #[command(during_turn)]
    async fn misspelt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
