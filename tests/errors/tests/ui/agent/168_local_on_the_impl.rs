use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {}

#[acp_agent(config = Config)]
struct Coder {
    count: Rc<u32>,
}

#[acp_agent(local)]
impl Coder {
    async fn prompt(&self) -> StopReason {
        let _ = self.count;
        StopReason::EndTurn
    }
}

fn main() {}
