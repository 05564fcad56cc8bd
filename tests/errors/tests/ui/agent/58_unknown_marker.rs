use acp_runtime::prelude::*;
use acp_runtime::schema::v1::methods;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext(methods::Stats)]
    async fn stats(&self) {}
}

fn main() {}
