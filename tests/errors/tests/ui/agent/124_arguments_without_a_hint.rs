use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn fix(&self, turn: Turn<Self>, what: Arguments) -> StopReason {
        drop((turn, what));
        StopReason::EndTurn
    }
}

fn main() {}
