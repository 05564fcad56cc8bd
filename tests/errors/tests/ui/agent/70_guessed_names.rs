use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn create_session(&self) {}

    async fn restore_session(&self) {}

    async fn session_mode(&self) {}

    async fn session_updates(&self) {}

    async fn fork(&self) {}

    async fn session_info(&self) {}

    async fn ext_method(&self) {}
}

fn main() {}
