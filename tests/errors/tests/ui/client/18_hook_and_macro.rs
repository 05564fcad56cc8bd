//! An attribute that belongs to agents, and a macro call whose handlers `#[acp_client]` cannot see.
use acp_client::acp_client;

struct Editor;

macro_rules! handlers {
    () => {};
}

#[acp_client]
impl Editor {
    #[on_change(Config::MODEL)]
    async fn model(&self) {}

    handlers!();
}

fn main() {}
