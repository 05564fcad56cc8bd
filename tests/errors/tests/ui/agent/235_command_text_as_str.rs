use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Adds a file
    #[command(hint = "a file")]
    async fn add(&self, path: &str) -> StopReason {
        let _ = path;
        StopReason::EndTurn
    }
}

fn main() {}
