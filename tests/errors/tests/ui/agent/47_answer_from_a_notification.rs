use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn cancel(&self) -> Result<StopReason> {
        Ok(StopReason::Cancelled)
    }

    #[ext(notification = "_acme.dev/seen")]
    async fn seen(&self) -> String {
        String::new()
    }
}

fn main() {}
