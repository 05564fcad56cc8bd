use acp_runtime::prelude::*;

#[derive(Clone)]
struct Core;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> Result<((), Core)> {
        Ok(((), Core))
    }

    async fn prompt(&self, _core: Shared<Core>) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self, _core: Shared<Core>) {}

    #[ext("_acme.dev/undo")]
    async fn undo(&self, _core: Shared<Core>) {}
}

fn main() {}
