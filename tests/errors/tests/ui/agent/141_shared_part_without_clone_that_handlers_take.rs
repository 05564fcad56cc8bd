use std::sync::Mutex;

use acp_runtime::prelude::*;

#[derive(Default)]
struct Core(Mutex<u32>);

#[acp_agent(shared = Core)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> Result<((), Core)> {
        Ok(((), Core::default()))
    }

    async fn prompt(&self, Shared(core): Shared<Core>) -> StopReason {
        *core.0.lock().unwrap() += 1;
        StopReason::EndTurn
    }

    async fn cancel(&self, Shared(_core): Shared<Core>) {}
}

fn main() {}
