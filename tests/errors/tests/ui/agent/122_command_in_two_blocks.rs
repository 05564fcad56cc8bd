use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn fix(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git)]
impl Coder {
    /// Mends it.
    #[command(name = "fix")]
    async fn mend(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
