use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn set_session_config_option(&self) {}

    async fn set_mode(&self) {}

    async fn cancel_request(&self) {}
}

fn main() {}
