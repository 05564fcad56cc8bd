use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext(_acme/stats)]
    async fn unquoted(&self) {}

    #[ext("_acme/one", "_acme/two")]
    async fn two(&self) {}

    #[ext = "_acme/three"]
    async fn equals(&self) {}

    #[ext(notification: "_acme/four")]
    async fn colon(&self) {}

    #[ext(notification("_acme/five"))]
    async fn parentheses(&self) {}

    #[ext(notification)]
    async fn nothing(&self) {}

    #[ext(request = "_acme/six")]
    async fn request(&self) {}
}

fn main() {}
