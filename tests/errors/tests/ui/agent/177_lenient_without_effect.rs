use acp_runtime::prelude::*;

#[acp_agent(capabilities(mcp_http, mcp_sse, image, audio, embedded_context), lenient(mcp_servers, content, paths))]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self, _request: NewSessionRequest) {}

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
