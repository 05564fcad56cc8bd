//! The handlers of a client stand in two blocks.
use acp_client::{acp_client, values::{Notice, Plan}};

struct Editor;

#[acp_client]
impl Editor {
    async fn plan(&self, _: Plan) {}
}

#[acp_client]
impl Editor {
    async fn notice(&self, _: Notice) {}
}

fn main() {}
