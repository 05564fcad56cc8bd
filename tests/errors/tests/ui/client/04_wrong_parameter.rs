//! A call does not have these parameters.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client(elicitation(url))]
impl Editor {
    async fn read_text_file(&self, _request: WriteTextFileRequest) -> String {
        String::new()
    }

    async fn agent_message_chunk(&self, _session: &SessionId, _call: ToolCall) {}

    async fn create_elicitation(&self) -> ElicitationAction {
        ElicitationAction::Decline
    }

    async fn complete_elicitation(&self, _session: &SessionId) {}

    #[ext("_acme.dev/add")]
    async fn add(&self, number: u32) -> u32 {
        number
    }
}

fn main() {}
