use acp_runtime::prelude::*;

struct Pinned;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_example.com/pin")]
    async fn pin(&self) -> Pinned {
        Pinned
    }
}

fn main() {}
