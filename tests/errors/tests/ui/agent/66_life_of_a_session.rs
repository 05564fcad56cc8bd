use acp_runtime::{prelude::*, session::{Ended, OpenedBy}};

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

    async fn session_opened(&self, _turn: Turn<Config>, _request: NewSessionRequest, _how: Ended) -> StopReason {
        StopReason::EndTurn
    }

    async fn session_ended(&self, _session: Vec<String>, _how: OpenedBy) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

fn main() {}
