use acp_runtime::prelude::*;

#[acp_agent(capabilities = [image])]
#[derive(Clone)]
struct Brackets;

#[acp_agent]
impl Brackets {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(capabilities("image", "audio"))]
#[derive(Clone)]
struct Quoted;

#[acp_agent]
impl Quoted {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(capabilities(image = true))]
#[derive(Clone)]
struct Assigned;

#[acp_agent]
impl Assigned {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(capabilities(image = false))]
#[derive(Clone)]
struct Denied;

#[acp_agent]
impl Denied {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
