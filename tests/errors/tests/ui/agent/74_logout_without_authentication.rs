use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Open;

#[acp_agent]
impl Open {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn logout(&self) {}
}

#[acp_agent(auth(terminal(id = "login", name = "Log in")))]
#[derive(Clone)]
struct Locked;

#[acp_agent]
impl Locked {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn logout(&self) {}
}

fn main() {}
