use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent(part = core, parts(git))]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git)]
impl Coder {
    #[ext("_acme.dev/push")]
    async fn push(&self) {}
}

#[acp_agent]
#[derive(Clone)]
struct Talker;

#[acp_agent(parts(git))]
impl Talker {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(part = git, parts(git))]
impl Talker {
    #[ext("_acme.dev/push")]
    async fn push(&self) {}
}

fn main() {}
