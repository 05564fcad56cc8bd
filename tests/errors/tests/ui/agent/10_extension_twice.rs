use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev/stats")]
    async fn stats(&self) {}

    #[ext("_acme.dev/stats")]
    async fn statistics(&self) {}

    #[ext("_acme.dev/one")]
    #[ext("_acme.dev/two")]
    async fn both(&self) {}
}

fn main() {}
