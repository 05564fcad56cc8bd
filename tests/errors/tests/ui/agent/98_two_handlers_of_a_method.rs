use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_x.ai/status")]
    async fn status(&self) {}

    #[method("_x.ai/status")]
    async fn status_again(&self) {}

    #[method("_x.ai/status", notification)]
    async fn status_told(&self) {}

    #[method(prefix = "_x.ai/git/")]
    async fn git(&self) {}

    #[method(prefix = "_x.ai/git/", notification)]
    async fn git_told(&self) {}

    #[method(prefix = "_x.ai/git/")]
    async fn git_again(&self) {}

    #[fallback]
    async fn other(&self) {}

    #[fallback(notification)]
    async fn other_told(&self) {}

    #[fallback]
    async fn other_again(&self) {}

    #[fallback(notification)]
    async fn other_told_again(&self) {}
}

#[acp_agent]
#[derive(Clone)]
struct Writer;

#[acp_agent(parts(git))]
impl Writer {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[fallback]
    async fn other(&self) {}
}

#[acp_agent(part = git)]
impl Writer {
    #[fallback]
    async fn another(&self) {}
}

fn main() {}
