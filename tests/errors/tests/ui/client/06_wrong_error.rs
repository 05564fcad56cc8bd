//! The error does not convert to the error of a handler.
use acp_client::acp_client;

struct Editor;

struct Mine;

#[acp_client]
impl Editor {
    async fn read_text_file(&self) -> Result<String, Mine> {
        Err(Mine)
    }
}

fn main() {}
