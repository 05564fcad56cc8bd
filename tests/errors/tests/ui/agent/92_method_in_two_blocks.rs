use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev/stats")]
    async fn stats(&self) {}
}

mod git {
    use super::*;

    #[acp_agent(part = git)]
    impl Coder {
        #[ext("_acme.dev/stats")]
        async fn statistics(&self) {}
    }
}

fn main() {}
