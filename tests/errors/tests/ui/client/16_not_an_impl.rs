//! The attribute stands at an item that is not an inherent `impl`.
use acp_client::acp_client;

struct Editor;

#[acp_client]
struct Viewer;

#[acp_client]
impl Clone for Editor {
    fn clone(&self) -> Self {
        Self
    }
}

struct Wrapper<T>(T);

#[acp_client]
impl<T> Wrapper<T> {
    async fn write_text_file(&self) {}
}

fn main() {}
