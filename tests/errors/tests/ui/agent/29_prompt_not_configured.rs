use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[derive(Default)]
struct Session {
    turns: u32,
}

#[acp_agent(config = Config, session = Session)]
struct Coder;

#[acp_agent]
impl Coder {
    #[cfg(any())]
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
