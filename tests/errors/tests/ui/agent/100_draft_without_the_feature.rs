use acp_runtime::prelude::*;

#[acp_agent(capabilities(image, system_prompt))]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[draft]
    async fn fork_session(&self, request: acp_runtime::schema::v1::ForkSessionRequest) {}
}

fn main() {}
