use acp_client::acp_client;

struct Editor;

#[acp_client]
impl Editor {
    #[draft]
    async fn message_mcp(&self) {}

    async fn auth_status_update(&self) {}
}

fn main() {}
