use acp_runtime::prelude::*;

/// Nothing lets a client in.
#[acp_agent(needs_auth)]
#[derive(Clone)]
struct Locked;

#[acp_agent]
impl Locked {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// A way through a terminal ends without a message to the agent.
#[acp_agent(auth(terminal(id = "login", name = "Log in")), needs_auth)]
#[derive(Clone)]
struct Deaf;

#[acp_agent]
impl Deaf {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// No method has its own gate.
#[acp_agent(auth(agent(id = "key", name = "Key")), needs_auth(new_session))]
#[derive(Clone)]
struct Picky;

#[acp_agent]
impl Picky {
    async fn authenticate(&self) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
