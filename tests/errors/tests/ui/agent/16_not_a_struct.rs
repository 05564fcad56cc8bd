use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
enum Echo {
    Loud,
    Quiet,
}

#[acp_agent]
impl Echo {
    async fn prompt(&self, _turn: Turn<Self>) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent]
pub(crate) fn echo() {}

#[acp_agent]
mod agent {}

#[acp_agent]
trait Agent {
    async fn prompt(&self) -> StopReason;
}

fn main() {
    let _ = Echo::Loud.serve_stdio();
    echo();
}
