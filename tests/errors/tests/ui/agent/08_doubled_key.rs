use acp_runtime::prelude::*;

#[acp_agent(name = "echo", title = "Echo", name = "parrot", capabilities(image, image))]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
