use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn fork_session(&self, _id: &SessionId) {}

    async fn login_auth(&self) {}

    async fn session_set_title(&self) {}
}

fn main() {}
