use acp_runtime::prelude::*;
use acp_runtime::values::SessionInfo;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn list_sessions(&self) -> Vec<SessionInfo> {
        vec![]
    }
}

fn main() {}
