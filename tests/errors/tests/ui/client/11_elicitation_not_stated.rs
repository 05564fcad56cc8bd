//! No agent calls these handlers, because the client does not state `elicitation`.
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
