use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[command]
    async fn fix(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[allow(dead_code)]
    #[command(hint = "what", name = "web")]
    async fn search(&self, _: Arguments) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
