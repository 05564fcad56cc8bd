//! What belongs to agents, and what the macro cannot see.
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
