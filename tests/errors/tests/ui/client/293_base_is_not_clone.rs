//! The base is a client whose clones cannot be made.
use acp_client::{acp_client, values::*};

struct Inner;

#[acp_client]
impl Inner {
    async fn read_text_file(&self, request: ReadTextFileRequest) -> String {
        request.path.display().to_string()
    }
}

struct Editor {
    inner: Inner,
}

#[acp_client(base = inner)]
impl Editor {}

fn main() {}
