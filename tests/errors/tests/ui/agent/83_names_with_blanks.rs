use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev /stats")]
    async fn stats(&self) {}

    #[ext(" _acme.dev/seen")]
    async fn seen(&self) {}

    #[ext(notification = "_acme.dev/read\n")]
    async fn read(&self) {}

    #[ext("_acme.dev/\u{0}")]
    async fn nothing(&self) {}
}

fn main() {}
