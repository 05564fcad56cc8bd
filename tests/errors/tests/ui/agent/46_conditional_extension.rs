use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[cfg_attr(unix, ext("_acme.dev/stats"))]
    async fn stats(&self) {}
}

fn main() {}
