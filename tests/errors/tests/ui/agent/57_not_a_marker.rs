use acp_runtime::prelude::*;

struct Stats;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext(Stats)]
    async fn stats(&self) {}
}

fn main() {}
