use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Pair(u32, #[config_option(default = false)] bool);

#[acp_agent]
impl Pair {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
