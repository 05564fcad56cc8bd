use std::sync::Arc;

use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    // Serde decodes `Arc` only with its feature `rc`. Even then, the params of a message cannot be a text.
    #[ext("_acme.dev/shared")]
    async fn shared(&self, _text: Arc<str>) {}

    #[ext("_acme.dev/maybe")]
    async fn maybe(&self, _text: Option<Arc<std::path::Path>>) {}
}

fn main() {}
