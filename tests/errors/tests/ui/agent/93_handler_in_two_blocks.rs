use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self) {}
}

mod git {
    use super::*;

    #[acp_agent(part = git)]
    impl Coder {
        async fn cancel(&self) {}
    }
}

fn main() {}
