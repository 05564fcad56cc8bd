//! A client that is not `Sync`.
use acp_client::acp_client;

struct Editor;

struct Cached(std::cell::RefCell<u8>);

#[acp_client]
impl Cached {
    async fn write_text_file(&self) {}
}

fn main() {}
