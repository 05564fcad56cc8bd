use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn promt(&self) -> StopReason {
        self.words();
        StopReason::EndTurn
    }

    async fn lod_session(&self, _request: LoadSessionRequest) -> Result<()> {
        Ok(())
    }

    fn words(&self) -> usize {
        0
    }

    fn new() -> Self {
        Self
    }
}

fn main() {}
