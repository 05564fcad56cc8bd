use acp_runtime::prelude::*;

// Attributes without their macro are errors of the compiler. The error at the `impl` names `#[acp_agent]`.
// Only that attribute names the session type, so the macro cannot check the answer of `new_session`.
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
