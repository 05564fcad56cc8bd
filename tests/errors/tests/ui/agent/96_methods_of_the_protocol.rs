use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method("session/list")]
    async fn list(&self) {}

    #[method("session/set_mode")]
    async fn mode(&self) {}

    #[method("fs/read_text_file")]
    async fn read(&self) {}

    #[method("auth/login")]
    async fn login(&self) {}

    // A draft has no handler of its own.
    #[method("session/fork")]
    async fn fork(&self) {}
}

fn main() {}
