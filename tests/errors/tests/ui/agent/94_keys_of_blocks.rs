use acp_runtime::prelude::*;

#[acp_agent(parts(git))]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git, git, hub))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git, parts(other))]
impl Coder {
    async fn cancel(&self) {}
}

#[acp_agent(part = "hub", title = "Hub")]
impl Coder {
    #[ext("_acme.dev/stats")]
    async fn stats(&self) {}
}

fn main() {}
