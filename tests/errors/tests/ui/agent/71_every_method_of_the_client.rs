use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn write_text_file(&self) {}

    async fn create_elicitation(&self) {}

    async fn complete_elicitation(&self) {}

    async fn create_terminal(&self) {}

    async fn terminal_output(&self) {}

    async fn wait_for_terminal_exit(&self) {}

    async fn kill_terminal(&self) {}

    async fn release_terminal(&self) {}
}

fn main() {}
