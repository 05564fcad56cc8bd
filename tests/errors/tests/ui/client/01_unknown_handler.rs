//! The names of these handlers belong to no method and to no update.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn read_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }

    async fn on_permission(&self, _request: RequestPermissionRequest) {}

    async fn agent_message_chunks(&self, _chunk: ContentChunk) {}

    async fn frobnicate(&self) {}

    fn new() -> Self {
        Self
    }
}

fn main() {}
