use acp_runtime::{prelude::*, values::InitializeResponse};

/// The answer is made by the runtime: a handler adds to it.
#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn initialize(&self, request: InitializeRequest) -> InitializeResponse {
        InitializeResponse::new(request.protocol_version)
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

/// No session is there yet.
#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn initialize(&self, id: &SessionId) -> Initialized {
        Initialized::new().name(id.to_string())
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
