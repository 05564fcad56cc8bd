use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_example.com/pin")]
    async fn pin(&self, title: String, count: u32) {
        let _ = (title, count);
    }
}

fn main() {}
