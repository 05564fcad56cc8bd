use acp_runtime::prelude::*;

#[derive(Clone)]
struct Config {
    brave: bool,
}

#[acp_agent(config = Config)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, _request: PromptRequest) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
