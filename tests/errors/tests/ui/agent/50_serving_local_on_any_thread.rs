use acp_runtime::prelude::*;

#[acp_agent(local)]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {
    std::thread::spawn(|| Echo.serve_stdio());
}
