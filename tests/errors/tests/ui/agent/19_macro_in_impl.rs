use acp_runtime::prelude::*;

macro_rules! cancel {
    () => {
        async fn cancel(&self) {}
    };
}

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    cancel!();
}

fn main() {}
