//! The field is no client.
use acp_client::{acp_client, parts::Files, values::*};

struct Editor {
    files: Files,
}

#[acp_client(base = files)]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

fn main() {}
