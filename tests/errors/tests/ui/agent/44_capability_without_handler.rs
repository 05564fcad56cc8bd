use acp_runtime::prelude::*;

#[acp_agent(capabilities(image, mcp_http, additional_directories))]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
