use acp_runtime::prelude::*;

#[acp_agent(auth(
    agent(id = "key"),
    terminal(id = "login", name = "Log in", arg("--login")),
    agent(id = "login", name = "Log in again"),
    agnet(id = "token", name = "Token"),
    agent(id = "", name = "Nothing"),
))]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
