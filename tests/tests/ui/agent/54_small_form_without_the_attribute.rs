use acp_runtime::prelude::*;

// The compiler itself refuses each attribute that no macro reads; that `#[acp_agent]` is missing is told at the `impl`.
// Only the attribute says what a session is, so the answer of `new_session` is not judged without it.
#[derive(Clone)]
struct Echo {
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn new_session(&self) {}

    async fn prompt(&self, request: PromptRequest) -> StopReason {
        let _ = request;
        StopReason::EndTurn
    }
}

fn main() {}
