//! Two handlers of one method.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn write_text_file(&self) {}

    async fn write_text_file(&self, _request: WriteTextFileRequest) {}

    #[ext("_acme.dev/stats")]
    async fn stats(&self) {}

    #[ext("_acme.dev/stats")]
    async fn more_stats(&self) {}
}

fn main() {}
