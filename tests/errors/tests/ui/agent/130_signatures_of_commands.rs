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
    fn not_async(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn no_receiver() -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn mutable(&mut self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    async fn generic<T>(&self, _: T) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
