use acp_runtime::{prelude::*, session::Ended};

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

    async fn session_ended(
        &self,
        _session: ClosedSession<Vec<String>>,
        _again: Option<ClosedSession<Vec<String>>>,
        _end: Ended,
        _same: Ended,
    ) {
    }
}

fn main() {}
