//! Handlers that no agent calls.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn create_elicitation(&self) -> ElicitationAction {
        ElicitationAction::Decline
    }

    async fn complete_elicitation(&self) {}
}

fn main() {}
