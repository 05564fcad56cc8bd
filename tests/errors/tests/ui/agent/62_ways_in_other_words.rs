use acp_runtime::prelude::*;

#[acp_agent(auth("login"))]
#[derive(Clone)]
struct Quoted;

#[acp_agent]
impl Quoted {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self) {}
}

#[acp_agent(auth(agent))]
#[derive(Clone)]
struct Bare;

#[acp_agent]
impl Bare {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self) {}
}

#[acp_agent(auth(id = "key", name = "API key"))]
#[derive(Clone)]
struct Keys;

#[acp_agent]
impl Keys {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self) {}
}

#[acp_agent(auth(agent(id = key, name = "API key")))]
#[derive(Clone)]
struct Unquoted;

#[acp_agent]
impl Unquoted {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self) {}
}

#[acp_agent(auth)]
#[derive(Clone)]
struct Nothing;

#[acp_agent]
impl Nothing {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self) {}
}

#[acp_agent(auth(terminal(id = "login", name = "Log in", args = ["--login"])))]
#[derive(Clone)]
struct Arguments;

#[acp_agent]
impl Arguments {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
