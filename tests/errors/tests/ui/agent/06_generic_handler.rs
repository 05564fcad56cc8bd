use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt<'a>(&'a self, _id: &'a SessionId) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel<T: Clone>(&self, _note: T) {}

    #[ext("_acme.dev/stats")]
    async fn stats(&self, _since: impl ToString) {}

    async unsafe fn logout(&self) {}
}

fn main() {}
