use acp_runtime::prelude::*;
use serde_json::Value;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method(prefix = "_example.com/git/")]
    async fn git(&self, method: String, _params: Value) -> String {
        method
    }

    #[ext(notification = "_example.com/note")]
    async fn note(&self, _text: &str) {}
}

fn main() {}
