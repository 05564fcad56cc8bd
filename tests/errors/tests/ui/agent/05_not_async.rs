use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    fn cancel(&self) -> impl Future<Output = ()> {
        async {}
    }
}

fn main() {}
