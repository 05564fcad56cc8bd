use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn load_session(&self, session: SessionHandle<Self>) {
        let _ = session;
    }
}

fn main() {}
