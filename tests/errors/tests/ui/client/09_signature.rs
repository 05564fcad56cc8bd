//! Handlers that are not async, have no `&self`, have `&mut self`, or are generic.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    fn read_text_file(&self) -> String {
        String::new()
    }

    async fn write_text_file() {}

    async fn request_permission(&mut self) -> RequestPermissionOutcome {
        RequestPermissionOutcome::Cancelled
    }

    async fn agent_message_chunk<T>(&self) {}

    async fn tool_call(&self, _call: &mut ToolCall) {}
}

fn main() {}
