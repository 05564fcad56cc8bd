use acp_runtime::prelude::*;

const SET_MODEL: &str = "session/set_model";

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method(SET_MODEL)]
    async fn set_model(&self) {}
}

fn main() {}
