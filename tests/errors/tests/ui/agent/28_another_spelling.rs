use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn session_prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn session_new(&self, _request: NewSessionRequest) {}

    async fn on_cancel(&self) {}

    async fn list(&self) {}

    async fn set_model(&self, _model: String) {}
}

fn main() {}
