//! A client in an `Arc`, because the program goes on using it.
use std::sync::Arc;

use acp_client::{Endpoint, acp_client, values::ReadTextFileRequest};

struct Editor;

#[acp_client]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

fn main() {
    let editor = Arc::new(Editor);
    let _ = Endpoint::program("coder").connect_as(editor.clone());
}
