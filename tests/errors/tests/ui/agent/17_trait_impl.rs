use acp_runtime::prelude::*;

trait Agent {
    async fn prompt(&self) -> StopReason;
}

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Agent for Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    let _ = Echo.serve_stdio();
}
