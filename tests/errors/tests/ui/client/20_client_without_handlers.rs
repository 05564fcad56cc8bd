//! A client whose handlers lack `#[acp_client]`.
use acp_client::{Endpoint, values::ReadTextFileRequest};

struct Editor;

impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

fn main() {
    let _ = Endpoint::program("coder").connect_as(Editor);
}
