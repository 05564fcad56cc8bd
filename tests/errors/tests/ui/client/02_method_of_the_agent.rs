//! A client calls these methods, and cannot handle them.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn prompt(&self, _request: PromptRequest) -> StopReason {
        StopReason::EndTurn
    }

    async fn new_session(&self) {}

    async fn cancel_request(&self) {}

    async fn auth_status_update(&self) {}
}

fn main() {}
