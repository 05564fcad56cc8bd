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
    async fn logout(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(name = "opened")]
    async fn session_opened(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    #[ext("_acme.dev/fix")]
    async fn fix(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    #[on_change(Coder::BRAVE)]
    async fn brave(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
