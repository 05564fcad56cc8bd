use acp_runtime::{prelude::*, session::OpenedBy};

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config, session = Vec<String>)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    async fn session_opened(&self) {}

    async fn session_opened(&self, _how: OpenedBy) {}
}

fn main() {}
