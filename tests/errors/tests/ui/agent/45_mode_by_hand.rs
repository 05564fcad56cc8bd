use acp_runtime::prelude::*;

#[derive(SelectValue, Clone, Copy, Default, PartialEq)]
enum Mode {
    #[default]
    Ask,
    Code,
}

#[acp_agent]
#[derive(Clone)]
struct Coder {
    #[config_option(category = "mode")]
    mode: Mode,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn set_session_mode(&self) {}
}

fn main() {}
