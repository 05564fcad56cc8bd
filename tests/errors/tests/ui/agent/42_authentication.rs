use acp_runtime::prelude::*;

#[acp_agent(auth(terminal(id = "login", name = "Log in"), agent(id = "key", name = "API key")))]
#[derive(Clone)]
struct Locked;

#[acp_agent]
impl Locked {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(auth(terminal(id = "login", name = "Log in")))]
#[derive(Clone)]
struct Open;

#[acp_agent]
impl Open {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self, _request: AuthenticateRequest) {}
}

fn main() {}
