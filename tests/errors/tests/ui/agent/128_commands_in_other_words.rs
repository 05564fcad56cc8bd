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
    #[command("fix")]
    async fn by_position(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command = "fix"]
    async fn by_value(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(names = "fix")]
    async fn misspelt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(description = "Mends it")]
    async fn unknown(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(hint)]
    async fn no_value(&self, _: Arguments) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(hint = "")]
    async fn blank_hint(&self, _: Arguments) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command(hidden = true)]
    async fn flag(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[command]
    #[command(name = "web")]
    async fn two_names(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[cfg_attr(unix, command)]
    async fn conditional(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
