use acp_runtime::prelude::*;

type Text = Arguments;

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
    async fn fix(&self, what: Arguments, again: Text) -> StopReason {
        drop((what, again));
        StopReason::EndTurn
    }
}

fn main() {}
