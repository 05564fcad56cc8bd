//! Two parameters that take the request.
use acp_client::{acp_client, values::*};

struct Editor;

#[acp_client]
impl Editor {
    async fn write_text_file(&self, _one: WriteTextFileRequest, _two: WriteTextFileRequest) {}
}

fn main() {}
