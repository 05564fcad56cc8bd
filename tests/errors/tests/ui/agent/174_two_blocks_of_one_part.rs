use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git)]
impl Coder {
    async fn cancel(&self) {}
}

mod models {
    use super::*;

    #[acp_agent(part = git)]
    impl Coder {
        #[ext("_acme.dev/models")]
        async fn models(&self) {}
    }
}

fn main() {}
