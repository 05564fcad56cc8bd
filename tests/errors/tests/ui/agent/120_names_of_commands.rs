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
    #[command(name = "fix it")]
    async fn blank(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "/fix")]
    async fn slash(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "git/fix")]
    async fn path(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "FixIt")]
    async fn upper_case(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "")]
    async fn empty(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = " / ")]
    async fn blanks_only(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = 7)]
    async fn number(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
