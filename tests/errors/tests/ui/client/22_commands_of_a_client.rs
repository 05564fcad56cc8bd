use acp_client::acp_client;

struct Editor;

#[acp_client]
impl Editor {
    /// Mends it.
    #[command]
    async fn fix(&self) {}
}

fn main() {}
