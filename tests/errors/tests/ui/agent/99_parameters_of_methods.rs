use acp_runtime::{prelude::*, agent::MethodName};

#[acp_agent]
#[derive(Clone)]
struct Coder;

struct Unreadable;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    // One name needs no parameter for it.
    #[method("session/set_model")]
    async fn set_model(&self, _method: MethodName) {}

    #[method(prefix = "_x.ai/git/")]
    async fn git(&self, _method: MethodName, _params: Unreadable) {}

    #[fallback]
    async fn other(&self, _name: String) {}

    #[fallback(notification)]
    async fn told(&self) -> Result<u32> {
        Ok(1)
    }
}

fn main() {}
