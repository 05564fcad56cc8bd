use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

mod more {
    use super::*;

    #[acp_agent]
    impl Echo {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }
    }
}

fn main() {}
