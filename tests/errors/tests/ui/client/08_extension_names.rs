//! An extension cannot have these names.
use acp_client::acp_client;

struct Editor;

#[acp_client]
impl Editor {
    #[ext("fs/read_text_file")]
    async fn one(&self) {}

    #[ext("session/prompt")]
    async fn two(&self) {}

    #[ext("acme.dev/three")]
    async fn three(&self) {}

    #[ext]
    async fn four(&self) {}
}

fn main() {}
