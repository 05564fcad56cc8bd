//! Updates that no agent sends to this client.
use acp_client::acp_client;

struct Editor;

#[acp_client]
impl Editor {
    async fn plan_update(&self) {}

    async fn state_update(&self) {}
}

fn main() {}
