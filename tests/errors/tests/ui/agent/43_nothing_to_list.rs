use acp_runtime::prelude::*;

#[acp_agent(ext_listing = "_acme.dev/extensions")]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[cfg(any())]
    #[ext("_acme.dev/stats")]
    async fn stats(&self) {}
}

fn main() {}
