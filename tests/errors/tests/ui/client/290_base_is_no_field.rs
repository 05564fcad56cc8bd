//! The client has no such field.
use acp_client::{acp_client, parts::Workspace, values::*};

struct Editor {
    workspace: Workspace,
}

#[acp_client(base = workspce, elicitation(form))]
impl Editor {
    async fn create_elicitation(&self) -> ElicitationAction {
        ElicitationAction::Decline
    }
}

fn main() {}
