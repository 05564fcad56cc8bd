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
    #[command(hint = "what to mend")]
    async fn fix(&self, turn: Turn<Self>) -> StopReason {
        drop(turn);
        StopReason::EndTurn
    }
}

fn main() {}
