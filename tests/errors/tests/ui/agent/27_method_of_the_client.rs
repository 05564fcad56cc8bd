use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn request_permission(&self) {}

    async fn read_text_file(&self) {}

    async fn session_update(&self) {}
}

fn main() {}
