use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(_request: PromptRequest) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
