use acp_runtime::prelude::*;

#[acp_agent(title = "", version = 1, capabilities(imag, load_session, colour))]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
