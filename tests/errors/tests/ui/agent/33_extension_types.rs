use acp_runtime::prelude::*;

struct Since;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev/stats")]
    async fn stats(&self, _since: Since) {}

    #[ext("_acme.dev/seen")]
    async fn seen(&self) -> Result<Since> {
        Ok(Since)
    }

    #[ext(notification = "_acme.dev/read")]
    async fn read(&self) -> u32 {
        0
    }
}

fn main() {}
