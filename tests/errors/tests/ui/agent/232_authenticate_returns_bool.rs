use acp_runtime::prelude::*;

#[acp_agent(auth(agent(id = "key", name = "API key")))]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn authenticate(&self, request: AuthenticateRequest) -> bool {
        request.method_id.as_str() == "key"
    }
}

fn main() {}
