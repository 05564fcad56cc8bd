use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo {
    #[config_option(default = true)]
    shout: bool,
    prefix: String,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(config = Echo)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self, _turn: Turn<Echo>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
