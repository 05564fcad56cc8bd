use acp_runtime::prelude::*;

#[acp_agent(auth(agent("key", "API key")))]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn authenticate(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[acp_ext("_acme.dev/stats")]
    async fn stats(&self) {}
}

fn main() {}
