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
    async fn fix_it(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "fix-it")]
    async fn mend(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "web")]
    async fn search(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "web")]
    async fn look_up(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
